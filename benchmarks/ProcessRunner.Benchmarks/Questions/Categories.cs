namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Marks of benchmarks.</summary>
internal static class Categories
{
    /// <summary>It runs once more with inline completions of sockets.</summary>
    public const string Inline = "Inline";
}
