using System;

namespace ProcessRunner;

/// <summary>
/// Receives bytes of a child's stream, on a delivery thread of the engine. See
/// <see cref="OutputTarget.ToBytes(OutputBytesCallback)"/>.
/// </summary>
/// <param name="bytes">The bytes, at least one. The span is not valid after the call.</param>
public delegate void OutputBytesCallback(ReadOnlySpan<byte> bytes);
