namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Specifies how a rival delivers the output.</summary>
internal enum RivalForm
{
    /// <summary>Each stream as one text.</summary>
    Text,

    /// <summary>Each stream as bytes in memory.</summary>
    Bytes,

    /// <summary>Line by line.</summary>
    Lines,
}
