using System;
using System.Buffers;
using System.Security.Cryptography;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Compares two streams of bytes in a form that a failed test can print.</summary>
internal static class Digest
{
    public static string Of(CapturedOutput output) => Of(output.Bytes);

    public static string Of(ReadOnlySequence<byte> bytes)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            hash.AppendData(segment.Span);
        }

        return $"{bytes.Length} bytes, {Convert.ToHexString(hash.GetCurrentHash())}";
    }
}
