namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Defines the categories of benchmarks.</summary>
internal static class Categories
{
    /// <summary>The benchmark runs a second time with inline completions of sockets.</summary>
    public const string Inline = "Inline";
}
