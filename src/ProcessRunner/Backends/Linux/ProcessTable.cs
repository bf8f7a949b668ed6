using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using System.Text;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Reads the kernel's process table (proc_pid_stat(5), proc_pid_environ(5)). No state; any thread. What is gone, or
/// another user's, reads as empty; a read that fails for want of descriptors or memory throws, since it says nothing.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class ProcessTable
{
    private const string EnvironmentFile = "environ";

    // What is longer than that in an environment or a command line is not looked at.
    private const int LargestFile = 4 * 1024 * 1024;

    /// <summary>The ids of all processes.</summary>
    /// <exception cref="IOException">Out of descriptors or memory.</exception>
    public static IEnumerable<int> ProcessIds()
    {
        foreach (string directory in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(directory), NumberStyles.None, CultureInfo.InvariantCulture, out int processId))
            {
                yield return processId;
            }
        }
    }

    /// <summary>The parent and the group of a live process.</summary>
    /// <returns>False if it is gone or a zombie.</returns>
    /// <exception cref="IOException">Out of descriptors or memory.</exception>
    public static bool TryReadLive(int processId, out int parentId, out int groupId)
    {
        parentId = groupId = 0;
        byte[] buffer = Buffers.Rent(1024);
        try
        {
            // "pid (name) state parent group …", where the name may hold parentheses and spaces.
            ReadOnlySpan<byte> stat = buffer.AsSpan(0, Read(processId, "stat", buffer));
            MemoryExtensions.SpanSplitEnumerator<byte> fields =
                stat[(stat.LastIndexOf((byte)')') + 1)..].TrimStart((byte)' ').Split((byte)' ');
            return fields.MoveNext()
                && fields.Source[fields.Current] is not ([(byte)'Z'] or [(byte)'X'] or [])
                && fields.MoveNext()
                && int.TryParse(fields.Source[fields.Current], NumberStyles.None, CultureInfo.InvariantCulture, out parentId)
                && fields.MoveNext()
                && int.TryParse(fields.Source[fields.Current], NumberStyles.None, CultureInfo.InvariantCulture, out groupId);
        }
        finally
        {
            Buffers.Return(buffer);
        }
    }

    /// <summary>Whether a process has executed no program since it was made.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="isStopped">Whether a signal has stopped it.</param>
    /// <exception cref="IOException">Out of descriptors or memory.</exception>
    public static bool IsHalfMade(int processId, out bool isStopped)
    {
        const uint PF_FORKNOEXEC = 0x40;
        byte[] buffer = Buffers.Rent(1024);
        try
        {
            // "pid (name) state parent group session terminal foreground-group flags …"
            string stat = Encoding.UTF8.GetString(buffer.AsSpan(0, Read(processId, "stat", buffer)));
            string[] fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ');
            isStopped = fields is [_, "T", ..];
            return fields is [_, not ("Z" or "X"), _, _, _, _, _, string flags, ..]
                && (uint.Parse(flags, CultureInfo.InvariantCulture) & PF_FORKNOEXEC) != 0;
        }
        finally
        {
            Buffers.Return(buffer);
        }
    }

    /// <summary>The marks in a process's environment: none if it has none or may not be read.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="sight">Whether its environment was there to be read.</param>
    /// <exception cref="IOException">Out of descriptors or memory.</exception>
    public static byte[] MarksOf(int processId, out EnvironmentSight sight)
    {
        byte[]? marks = ReadMarks(processId);
        if (marks is null)
        {
            // Read again, behind a sign that its memory is there: what was opened before an exec ends with it.
            bool hasMemory = !ReadAll(processId, "cmdline", line => line.IsEmpty);
            marks = ReadMarks(processId);
            sight = marks is not null ? EnvironmentSight.Clear : hasMemory ? EnvironmentSight.Empty : EnvironmentSight.NoMemory;
        }
        else
        {
            sight = EnvironmentSight.Clear;
        }

        return marks ?? [];
    }

    /// <summary>The program and its arguments, or the name in brackets where the kernel has no arguments.</summary>
    /// <exception cref="IOException">Out of descriptors or memory.</exception>
    public static string CommandLineOf(int processId)
    {
        string line = ReadAll(processId, "cmdline", bytes => Encoding.UTF8.GetString(bytes).TrimEnd('\0').Replace('\0', ' '));
        return line.Length > 0 ? line : $"[{ReadAll(processId, "comm", bytes => Encoding.UTF8.GetString(bytes).TrimEnd('\n'))}]";
    }

    // Null if there is not a byte, though it may be read: another user's is none of ours.
    private static byte[]? ReadMarks(int processId)
    {
        try
        {
            return ReadAll(
                processId, EnvironmentFile, environment => environment.IsEmpty ? null : ChildMark.ChainIn(environment).ToArray());
        }
        catch (UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static T ReadAll<T>(int processId, string file, ReadOnlySpanFunc<T> use)
    {
        byte[] buffer = Buffers.Rent(16 * 1024);
        try
        {
            int length;
            while ((length = Read(processId, file, buffer)) == buffer.Length && length < LargestFile)
            {
                Buffers.Return(buffer);
                buffer = Buffers.Rent(buffer.Length * 2);
            }

            return use(buffer.AsSpan(0, length));
        }
        finally
        {
            Buffers.Return(buffer);
        }
    }

    private static int Read(int processId, string file, byte[] buffer)
    {
        try
        {
            using SafeFileHandle handle = File.OpenHandle($"/proc/{processId}/{file}");
            int total = 0;
            int count;
            while ((count = RandomAccess.Read(handle, buffer.AsSpan(total), total)) > 0)
            {
                total += count;
            }

            return total;
        }
        catch (UnauthorizedAccessException) when (file != EnvironmentFile)
        {
            return 0;
        }
        catch (IOException exception) when (exception.HResult is not (Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM))
        {
            // A process may end at any moment: ENOENT, ESRCH.
            return 0;
        }
    }

    private delegate T ReadOnlySpanFunc<T>(ReadOnlySpan<byte> bytes);
}
