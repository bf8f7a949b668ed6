namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>In which form ProcessRunner hands the output over.</summary>
internal enum LibraryForm
{
    /// <summary>Captured bytes.</summary>
    Bytes,

    /// <summary>Captured bytes, with an engine that takes the environment once.</summary>
    BytesEnvironmentOnce,

    /// <summary>Captured, and decoded in the end.</summary>
    Text,

    /// <summary>A callback for each line.</summary>
    Lines,

    /// <summary>A callback for spans of bytes, which counts them.</summary>
    Spans,

    /// <summary>A callback for spans of bytes, which ignores them.</summary>
    Discard,

    /// <summary>A capture of the first and last KiB.</summary>
    Limited,

    /// <summary>Captured, both streams through one pipe.</summary>
    Merged,
}
