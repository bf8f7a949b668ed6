using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.IO;
using System.Text;
using ProcessRunner.TestSupport;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// Represents printable text for both streams, in files, so that a native child can write it at once. The streams
/// differ, so that a byte in the wrong stream changes its digest.
/// </summary>
internal sealed class Payload
{
    private static readonly ConcurrentDictionary<int, Payload> s_payloads = new();
    private static readonly Lazy<string> s_directory = new(TemporaryDirectory);

    private readonly string _outputFile;
    private readonly string _errorFile;
    private readonly string _outputDigest;
    private readonly string _errorDigest;

    private Payload(int byteCount)
    {
        ByteCount = byteCount;
        (_outputFile, _outputDigest) = Write("out", seed: 1);
        (_errorFile, _errorDigest) = Write("err", seed: 2);
    }

    public int ByteCount { get; }

    public static Payload Of(int byteCount) => s_payloads.GetOrAdd(byteCount, count => new Payload(count));

    /// <summary>Creates a native child that writes the payload: all of the output, then all of the error.</summary>
    public ProcessCommand Command() => TestPrograms.Quick("cat", _outputFile, "cat-err", _errorFile);

    /// <summary>Gets the words of a quick child that writes the payload and then sleeps.</summary>
    public string[] Words(int sleepMilliseconds) =>
        ["cat", _outputFile, "cat-err", _errorFile, "sleep", $"{sleepMilliseconds}"];

    /// <summary>Describes the fault of a result; null if the child succeeded and every byte is there.</summary>
    public string? Fault(ProcessResult result)
    {
        string expected = $"{ProcessOutcome.Exited} 0; {_outputDigest}; {_errorDigest}";
        string actual =
            $"{result.Outcome} {result.ExitCode}; "
            + $"{Digest.Of(result.StandardOutput)}; {Digest.Of(result.StandardError)}";
        return actual == expected ? null : $"{actual} instead of {expected}";
    }

    private static string TemporaryDirectory()
    {
        string path = Directory.CreateTempSubdirectory("starvation-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(path, recursive: true);
        return path;
    }

    private (string File, string Digest) Write(string name, int seed)
    {
        string text = new(new Random(seed).GetItems<char>("abcdefghijklmnopqrstuvwxyz0123456789\n", ByteCount));
        byte[] bytes = Encoding.ASCII.GetBytes(text);
        string file = Path.Combine(s_directory.Value, $"{ByteCount}.{name}");
        File.WriteAllBytes(file, bytes);
        return (file, Digest.Of(new ReadOnlySequence<byte>(bytes)));
    }
}
