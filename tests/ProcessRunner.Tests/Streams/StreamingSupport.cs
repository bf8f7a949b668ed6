using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Capture;

namespace ProcessRunner.Tests.Streams;

/// <summary>Provides the common parts of the stream tests.</summary>
internal static class StreamingSupport
{
    /// <summary>Computes the hash of all bytes of a stream.</summary>
    public static string Hash(Stream stream) => Convert.ToHexString(SHA256.HashData(stream));

    /// <summary>Computes the hash of bytes.</summary>
    public static string Hash(ReadOnlySpan<byte> bytes) => Convert.ToHexString(SHA256.HashData(bytes));

    /// <summary>Creates bytes of every value without a pattern.</summary>
    public static byte[] RandomBytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Gets the text of lines with their numbers.</summary>
    public static IEnumerable<string> Numbers(int first, int count) =>
        Enumerable.Range(first, count).Select(number => number.ToString());

    /// <summary>Returns whether two texts are the same, without a long message if they differ.</summary>
    public static bool AreSame(IEnumerable<string> one, IEnumerable<string> other) =>
        one.SequenceEqual(other, StringComparer.Ordinal);

    /// <summary>Gets the budget of an engine that has started a child.</summary>
    public static CaptureBudget BudgetOf(ProcessEngine engine)
    {
        FieldInfo field = typeof(ProcessEngine).GetField("_parts", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return ((EngineParts)field.GetValue(engine)!).Streams.Segments.Budget;
    }

    /// <summary>Gets the temporary files of captures that still have a name.</summary>
    public static IReadOnlyList<string> NamedSpillFiles =>
        OperatingSystem.IsWindows() ? [] : [.. Directory.EnumerateFiles(Path.GetTempPath(), "processrunner-*")];

    /// <summary>Gets the descriptors of temporary files without a name, by their path in /proc.</summary>
    public static IReadOnlyList<string> SpillDescriptors =>
        OperatingSystem.IsLinux()
            ? [.. new DirectoryInfo("/proc/self/fd").EnumerateFiles().Where(IsSpill).Select(entry => entry.FullName)]
            : [];

    /// <summary>
    /// Gets the number of bytes that a process has written so far, see proc_pid_io(5); 0 if it is gone.
    /// </summary>
    public static long BytesWritten(int processId)
    {
        try
        {
            const string Name = "wchar: ";
            return long.Parse(File.ReadLines($"/proc/{processId}/io")
                .First(line => line.StartsWith(Name, StringComparison.Ordinal))[Name.Length..]);
        }
        catch (IOException)
        {
            return 0;
        }
    }

    /// <summary>Returns whether a process sleeps in a system call after it has written as much as it could.</summary>
    public static bool Sleeps(int processId)
    {
        try
        {
            return File.ReadAllText($"/proc/{processId}/stat").Contains(") S ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>
    /// Waits until a process that writes as fast as possible is blocked: its number of written bytes stops growing.
    /// </summary>
    public static long WrittenOnceBlocked(int processId)
    {
        long before = -1;
        int calm = 0;
        TestSupport.Eventually.Is(
            () =>
            {
                long now = BytesWritten(processId);
                calm = now == before && now > 0 && Sleeps(processId) ? calm + 1 : 0;
                before = now;
                return calm >= 20;
            },
            "a writer blocks while its pipe is not read");
        return before;
    }

    /// <summary>Gets the exception that an action throws, or null.</summary>
    public static Exception? Thrown(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    /// <summary>Reads all lines of a child on the calling thread, without the help of the ThreadPool.</summary>
    public static List<OutputLine> ReadAll(ChildProcess child, Action<OutputLine>? onLine = null)
    {
        List<OutputLine> lines = [];
        do
        {
            while (child.Lines.TryRead(out OutputLine line))
            {
                lines.Add(line);
                onLine?.Invoke(line);
            }
        }
        while (child.Lines.WaitToReadAsync().AsTask().GetAwaiter().GetResult());

        return lines;
    }

    /// <summary>Decodes the bytes of a sequence as ASCII.</summary>
    public static string Ascii(ReadOnlySequence<byte> bytes) => Encoding.ASCII.GetString(bytes.ToArray());

    /// <summary>Collects lines from several threads.</summary>
    public static Action<OutputLine> Into(ConcurrentQueue<OutputLine> lines) => lines.Enqueue;

    // A file that never had a name is shown by its number (open(2), O_TMPFILE).
    private static bool IsSpill(FileInfo entry) =>
        entry.LinkTarget is string target
        && target.StartsWith(Path.GetTempPath(), StringComparison.Ordinal)
        && target.EndsWith(" (deleted)", StringComparison.Ordinal)
        && (Path.GetFileName(target)[0] == '#'
            || Path.GetFileName(target).StartsWith("processrunner-", StringComparison.Ordinal));
}
