using System;
using System.Buffers.Text;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Text.Unicode;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Reads the kernel's process table (proc_pid_stat(5), proc_pid_environ(5)). Nothing here throws for what the system does: a
/// <see cref="ProcessSight"/> tells whether something was to be seen.
/// </summary>
/// <remarks>It has a buffer that each read uses anew, so it is for one thread at a time.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ProcessTable
{
    private const int LongestPath = 64;

    // What is longer than that in an environment or a command line is not looked at.
    private const int LargestFile = 4 * 1024 * 1024;

    private byte[] _buffer = Buffers.Allocate<byte>(16 * 1024);

    /// <summary>
    /// Looks whose processes /proc shows: those of the namespace that it was mounted in. It is ours if it knows us by one number
    /// alone, and that is the one by which we know ourselves (pid_namespaces(7)).
    /// </summary>
    public ProcessSight LookWhoseItIs()
    {
        ProcessSight sight = Read(LibC.AT_FDCWD, "/proc/self/status\0"u8, out ReadOnlySpan<byte> status);
        if (sight != ProcessSight.Clear)
        {
            return sight == ProcessSight.Short ? sight : ProcessSight.Denied;
        }

        ReadOnlySpan<byte> numbers = ValueOf("NStgid:"u8, status);
        if (numbers.IsEmpty)
        {
            // A kernel without such namespaces.
            numbers = ValueOf("Tgid:"u8, status);
        }

        return Utf8Parser.TryParse(numbers, out int number, out int length)
            && length == numbers.Length
            && number == Environment.ProcessId
            ? ProcessSight.Clear
            : ProcessSight.Denied;
    }

    /// <summary>Adds the ids of all processes.</summary>
    /// <returns>
    /// <see cref="ProcessSight.Denied"/> where /proc cannot be listed or belongs to another namespace: its numbers mean other
    /// processes than ours do then.
    /// </returns>
    public ProcessSight List(ICollection<int> processIds)
    {
        ProcessSight sight = LookWhoseItIs();
        if (sight != ProcessSight.Clear)
        {
            return sight;
        }

        nint directory = LibC.OpenDirectory("/proc");
        if (directory == 0)
        {
            return SightOfListing(Marshal.GetLastPInvokeError());
        }

        byte* entry;
        while ((entry = (byte*)LibC.ReadDirectory(directory)) is not null)
        {
            ReadOnlySpan<byte> name = MemoryMarshal.CreateReadOnlySpanFromNullTerminated(entry + LibC.DirectoryEntryName);
            if (Utf8Parser.TryParse(name, out int processId, out int length) && length == name.Length)
            {
                processIds.Add(processId);
            }
        }

        int error = Marshal.GetLastPInvokeError();
        _ = LibC.CloseDirectory(directory);
        return error == 0 ? ProcessSight.Clear : SightOfListing(error);
    }

    /// <summary>Reads the state of a process.</summary>
    public ProcessSight ReadStat(int processId, out ProcessStat stat)
    {
        stat = default;
        ProcessSight sight = Read(LibC.AT_FDCWD, processId, "stat"u8, out ReadOnlySpan<byte> line);
        return sight != ProcessSight.Clear || ProcessStat.TryParse(line, out stat) ? sight : ProcessSight.Gone;
    }

    /// <summary>Reads which process a pidfd of ours names (proc_pid_fdinfo(5)).</summary>
    /// <returns>Null if there is no such descriptor, or its process is gone.</returns>
    public int? ReadProcessId(int pidfd)
    {
        Span<byte> path = stackalloc byte[LongestPath];
        return Utf8.TryWrite(path, $"/proc/self/fdinfo/{pidfd}\0", out _)
            && Read(LibC.AT_FDCWD, path, out ReadOnlySpan<byte> info) == ProcessSight.Clear
            && Utf8Parser.TryParse(ValueOf("Pid:"u8, info), out int processId, out _)
            && processId > 0
            ? processId
            : null;
    }

    /// <summary>Reads the marks in the environment of a process.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="chain">They, or nothing; valid until the next read.</param>
    public ProcessSight ReadMarks(int processId, out ReadOnlySpan<byte> chain) => ReadMarks(LibC.AT_FDCWD, processId, out chain);

    /// <summary>The program and its arguments, or the name in brackets where the kernel has no arguments.</summary>
    public string CommandLineOf(int processId)
    {
        Read(LibC.AT_FDCWD, processId, "cmdline"u8, out ReadOnlySpan<byte> line);
        line = line.TrimEnd((byte)0);
        if (!line.IsEmpty)
        {
            return Encoding.UTF8.GetString(line).Replace('\0', ' ');
        }

        Read(LibC.AT_FDCWD, processId, "comm"u8, out ReadOnlySpan<byte> name);
        return $"[{Encoding.UTF8.GetString(name.TrimEnd((byte)'\n'))}]";
    }

    /// <summary>Sends a signal to a process that carries a mark.</summary>
    /// <returns>False if that cannot be made sure now, or if the signal cannot be sent.</returns>
    public bool SignalIfMarked(int processId, ChildMark mark, int number)
    {
        // Such a directory holds on to one process, as a pidfd does, and can be signalled like one (pidfd_send_signal(2)): the
        // mark that is read there and the signal cannot meet two. Of a process outside of our namespace the kernel says EINVAL.
        byte* path = stackalloc byte[LongestPath];
        Utf8.TryWrite(new Span<byte>(path, LongestPath), $"/proc/{processId}\0", out _);
        int directory = LibC.OpenAt(LibC.AT_FDCWD, path, LibC.O_RDONLY | LibC.O_DIRECTORY | LibC.O_CLOEXEC, 0);
        if (directory < 0)
        {
            return false;
        }

        bool isSent = ReadMarks(directory, processId, out ReadOnlySpan<byte> chain) == ProcessSight.Clear
            && mark.IsIn(chain)
            && LibC.PidFdSendSignal(directory, number) == 0;
        _ = LibC.Close(directory);
        return isSent;
    }

    private static ReadOnlySpan<byte> ValueOf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> status)
    {
        foreach (Range range in status.Split((byte)'\n'))
        {
            if (status[range].StartsWith(key))
            {
                return status[range][key.Length..].Trim("\t "u8);
            }
        }

        return default;
    }

    private ProcessSight ReadMarks(int directory, int processId, out ReadOnlySpan<byte> chain)
    {
        chain = default;
        ProcessSight sight = Read(directory, processId, "environ"u8, out ReadOnlySpan<byte> environment);
        bool hasMemory = true;
        if (sight == ProcessSight.Clear && environment.IsEmpty)
        {
            // Read again, behind a sign that its memory is there: what was opened before an exec ends with it.
            hasMemory = Read(directory, processId, "cmdline"u8, out ReadOnlySpan<byte> line) == ProcessSight.Clear && !line.IsEmpty;
            sight = Read(directory, processId, "environ"u8, out environment);
        }

        if (sight != ProcessSight.Clear || !environment.IsEmpty)
        {
            chain = ChildMark.ChainIn(environment);
            return sight;
        }

        return hasMemory ? ProcessSight.Empty : ProcessSight.NoMemory;
    }

    private ProcessSight Read(int directory, int processId, scoped ReadOnlySpan<byte> file, out ReadOnlySpan<byte> bytes)
    {
        Span<byte> path = stackalloc byte[LongestPath];
        int length = 0;
        if (directory == LibC.AT_FDCWD)
        {
            Utf8.TryWrite(path, $"/proc/{processId}/", out length);
        }

        file.CopyTo(path[length..]);
        path[length + file.Length] = 0;
        return Read(directory, path, out bytes);
    }

    private ProcessSight Read(int directory, scoped ReadOnlySpan<byte> path, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        int descriptor;
        fixed (byte* first = path)
        {
            descriptor = LibC.OpenAt(directory, first, LibC.O_RDONLY | LibC.O_CLOEXEC, 0);
        }

        if (descriptor < 0)
        {
            return SightOf(Marshal.GetLastPInvokeError());
        }

        try
        {
            int length = 0;
            nint count;
            while ((count = ReadInto(descriptor, length)) > 0 && length + (int)count < LargestFile)
            {
                length += (int)count;
                if (length == _buffer.Length)
                {
                    byte[] larger = Buffers.Allocate<byte>(length * 2);
                    _buffer.CopyTo(larger, 0);
                    _buffer = larger;
                }
            }

            bytes = _buffer.AsSpan(0, length);
            return count < 0 ? SightOf(Marshal.GetLastPInvokeError()) : ProcessSight.Clear;
        }
        finally
        {
            _ = LibC.Close(descriptor);
        }
    }

    private nint ReadInto(int descriptor, int offset)
    {
        nint count;
        fixed (byte* buffer = _buffer)
        {
            do
            {
                count = LibC.Read(descriptor, buffer + offset, (nuint)(_buffer.Length - offset));
            }
            while (count < 0 && Marshal.GetLastPInvokeError() == Errno.EINTR);
        }

        return count;
    }

    private static ProcessSight SightOfListing(int error) =>
        SightOf(error) == ProcessSight.Short ? ProcessSight.Short : ProcessSight.Denied;

    private static ProcessSight SightOf(int error) => error switch
    {
        Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM => ProcessSight.Short,
        Errno.ENOENT or Errno.ESRCH => ProcessSight.Gone,
        _ => ProcessSight.Denied,
    };
}
