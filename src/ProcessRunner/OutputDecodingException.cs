using System;
using System.Text;

namespace ProcessRunner;

/// <summary>
/// The exception for output that its encoding cannot decode, if <see cref="ProcessCommand.StrictDecoding"/> asks for
/// it. The bytes stay available in a capture (<see cref="CapturedOutput.Bytes"/>).
/// </summary>
public sealed class OutputDecodingException : FormatException
{
    /// <summary>Initializes an exception for bytes of an output.</summary>
    /// <param name="encoding">The name of the encoding.</param>
    /// <param name="bytes">The bytes that it cannot decode, which are copied.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public OutputDecodingException(string encoding, ReadOnlySpan<byte> bytes)
        : base($"The output is not {encoding ?? throw new ArgumentNullException(nameof(encoding))}: it has the bytes "
            + $"{Convert.ToHexString(bytes)}, which stand for no character.")
    {
        EncodingName = encoding;
        Bytes = bytes.ToArray();
    }

    /// <summary>Gets the name of the encoding (<see cref="Encoding.WebName"/>).</summary>
    public string EncodingName { get; }

    /// <summary>Gets the bytes that stand for no character; a character may be missing its first ones.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }
}
