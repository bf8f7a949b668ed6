namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>In which form a rival hands the output over.</summary>
internal enum RivalForm
{
    /// <summary>Each stream as one text.</summary>
    Text,

    /// <summary>Each stream as bytes in memory.</summary>
    Bytes,

    /// <summary>Line by line.</summary>
    Lines,
}
