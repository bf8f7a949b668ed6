namespace PTest.Suites;

/// <summary>Represents a project as its solution builds it.</summary>
/// <param name="FilePath">The absolute path of the project.</param>
/// <param name="Configuration">The configuration of the project.</param>
/// <param name="Platform">The platform of the project; null for its own.</param>
internal sealed record SolutionProject(string FilePath, string Configuration, string? Platform = null);
