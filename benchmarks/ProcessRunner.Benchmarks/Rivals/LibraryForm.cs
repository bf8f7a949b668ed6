namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Specifies how ProcessRunner delivers the output.</summary>
internal enum LibraryForm
{
    /// <summary>Captured bytes.</summary>
    Bytes,

    /// <summary>Captured bytes, on an engine that reads the environment once.</summary>
    BytesEnvironmentOnce,

    /// <summary>A capture that is decoded at the end.</summary>
    Text,

    /// <summary>A callback for each line.</summary>
    Lines,

    /// <summary>A callback for spans of bytes that counts them.</summary>
    Spans,

    /// <summary>A callback for spans of bytes that ignores them.</summary>
    Discard,

    /// <summary>A capture of the first and last KiB.</summary>
    Limited,

    /// <summary>A capture of both streams through one pipe.</summary>
    Merged,
}
