using System;

namespace ProcessRunner;

/// <summary>Takes bytes of a child's stream, on a delivery thread of the engine; see <see cref="OutputTarget.ToBytes(OutputBytesCallback)"/>.</summary>
/// <param name="bytes">At least one byte; not valid after the call.</param>
public delegate void OutputBytesCallback(ReadOnlySpan<byte> bytes);
