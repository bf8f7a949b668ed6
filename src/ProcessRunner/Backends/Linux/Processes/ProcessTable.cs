using System;
using System.Buffers.Text;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Text.Unicode;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Processes;

/// <summary>
/// Provides access to the kernel's process table (proc_pid_stat(5), proc_pid_environ(5)). No failure of the system
/// causes an exception: a <see cref="ProcessSight"/> reports what was visible.
/// </summary>
/// <remarks>Every read reuses one buffer, so an instance serves one thread at a time.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ProcessTable
{
    private const int LongestPath = 64;

    // The part of an environment or a command line beyond this size is ignored.
    private const int LargestFile = 4 * 1024 * 1024;

    private readonly List<ProcessEntry> _threads = [];
    private byte[] _buffer = Buffers.Allocate<byte>(16 * 1024);

    /// <summary>
    /// Determines whose processes /proc shows: it shows those of the namespace that it was mounted in. That is this
    /// process's namespace if the table has a single number for this process, equal to its own process id
    /// (pid_namespaces(7)).
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
            // The kernel has no pid namespaces.
            numbers = ValueOf("Tgid:"u8, status);
        }

        return Utf8Parser.TryParse(numbers, out int number, out int length)
            && length == numbers.Length
            && number == Environment.ProcessId
            ? ProcessSight.Clear
            : ProcessSight.Denied;
    }

    /// <summary>Adds all processes.</summary>
    /// <returns>
    /// <see cref="ProcessSight.Denied"/> if /proc cannot be listed or belongs to another namespace, where the numbers
    /// stand for other processes.
    /// </returns>
    public ProcessSight List(ICollection<ProcessEntry> processes)
    {
        ProcessSight sight = LookWhoseItIs();
        if (sight != ProcessSight.Clear)
        {
            return sight;
        }

        int error = AddNumbers("/proc", processes);
        return error == 0 ? ProcessSight.Clear : SightOfListing(error);
    }

    /// <summary>
    /// Returns a thread that shows the memory of a process: the first one, or another one if that has ended.
    /// </summary>
    public int ThreadWithMemory(int processId, in ProcessStat stat)
    {
        if (!stat.HasLostItsFirstThread)
        {
            return processId;
        }

        _threads.Clear();
        _ = AddNumbers($"/proc/{processId}/task", _threads);
        int other = _threads.FindIndex(thread => thread.ProcessId != processId);
        return other < 0 ? processId : _threads[other].ProcessId;
    }

    // Returns the error that ended the list, or 0.
    private static int AddNumbers(string path, ICollection<ProcessEntry> numbers)
    {
        nint directory = LibC.OpenDirectory(path);
        if (directory == 0)
        {
            return Marshal.GetLastPInvokeError();
        }

        try
        {
            return AddNumbers(directory, numbers);
        }
        finally
        {
            _ = LibC.CloseDirectory(directory);
        }
    }

    private static int AddNumbers(nint directory, ICollection<ProcessEntry> numbers)
    {
        byte* entry;
        while ((entry = (byte*)LibC.ReadDirectory(directory)) is not null)
        {
            ReadOnlySpan<byte> name =
                MemoryMarshal.CreateReadOnlySpanFromNullTerminated(entry + LibC.DirectoryEntryName);
            if (Utf8Parser.TryParse(name, out int number, out int length) && length == name.Length)
            {
                numbers.Add(new ProcessEntry(number, *(ulong*)entry));
            }
        }

        return Marshal.GetLastPInvokeError();
    }

    /// <summary>Reads the state of a process.</summary>
    public ProcessSight ReadStat(int processId, out ProcessStat stat)
    {
        Span<byte> path = stackalloc byte[LongestPath];
        Utf8.TryWrite(path, $"/proc/{processId}/stat\0", out _);
        return ReadStat(LibC.AT_FDCWD, path, out stat);
    }

    /// <summary>Returns the process id that a pidfd of this process stands for (proc_pid_fdinfo(5)).</summary>
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
    /// <param name="processId">The process id.</param>
    /// <param name="thread">The thread that shows the memory.</param>
    /// <param name="chain">The chain of marks, or an empty span; valid until the next read.</param>
    public ProcessSight ReadMarks(int processId, int thread, out ReadOnlySpan<byte> chain) =>
        ReadMarks(LibC.AT_FDCWD, processId, thread, out chain);

    /// <summary>
    /// Returns the command line of a process, or its name in brackets if the kernel has no arguments.
    /// </summary>
    /// <param name="processId">The process id.</param>
    /// <param name="thread">The thread that shows the memory.</param>
    public string CommandLineOf(int processId, int thread)
    {
        Read(LibC.AT_FDCWD, processId, thread, "cmdline"u8, out ReadOnlySpan<byte> line);
        line = line.TrimEnd((byte)0);
        if (!line.IsEmpty)
        {
            return Encoding.UTF8.GetString(line).Replace('\0', ' ');
        }

        Read(LibC.AT_FDCWD, processId, processId, "comm"u8, out ReadOnlySpan<byte> name);
        return $"[{Encoding.UTF8.GetString(name.TrimEnd((byte)'\n'))}]";
    }

    /// <summary>Sends a signal to a process that carries a mark.</summary>
    /// <returns>False if the mark cannot be confirmed now, or if the signal cannot be sent.</returns>
    public bool SignalIfMarked(int processId, ChildMark mark, int number)
    {
        // Like a pidfd, an open directory /proc/PID stands for one process and can be signaled (pidfd_send_signal(2)),
        // so the mark that is read and the signal cannot concern two processes. For a process outside this namespace
        // the kernel returns EINVAL.
        byte* path = stackalloc byte[LongestPath];
        Utf8.TryWrite(new Span<byte>(path, LongestPath), $"/proc/{processId}\0", out _);
        int directory = LibC.OpenAt(LibC.AT_FDCWD, path, LibC.O_RDONLY | LibC.O_DIRECTORY | LibC.O_CLOEXEC, 0);
        if (directory < 0)
        {
            return false;
        }

        bool isSent = ReadStat(directory, "stat\0"u8, out ProcessStat stat) == ProcessSight.Clear
            && ReadMarks(directory, processId, ThreadWithMemory(processId, stat), out ReadOnlySpan<byte> chain)
                == ProcessSight.Clear
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

    private ProcessSight ReadStat(int directory, ReadOnlySpan<byte> path, out ProcessStat stat)
    {
        stat = default;
        ProcessSight sight = Read(directory, path, out ReadOnlySpan<byte> line);
        return sight != ProcessSight.Clear || ProcessStat.TryParse(line, out stat) ? sight : ProcessSight.Gone;
    }

    private ProcessSight ReadMarks(int directory, int processId, int thread, out ReadOnlySpan<byte> chain)
    {
        chain = default;
        ProcessSight sight = Read(directory, processId, thread, "environ"u8, out ReadOnlySpan<byte> environment);
        bool hasMemory = true;
        if (sight == ProcessSight.Clear && environment.IsEmpty)
        {
            // Reads the environment again after evidence that the process has memory: a file opened before an exec ends
            // with it.
            sight = Read(directory, processId, thread, "cmdline"u8, out ReadOnlySpan<byte> line);
            hasMemory = sight == ProcessSight.Clear && !line.IsEmpty;
            sight = Read(directory, processId, thread, "environ"u8, out environment);
        }

        if (sight != ProcessSight.Clear || !environment.IsEmpty)
        {
            chain = ChildMark.ChainIn(environment);
            return sight;
        }

        return hasMemory ? ProcessSight.Empty : ProcessSight.NoMemory;
    }

    private ProcessSight Read(
        int directory, int processId, int thread, scoped ReadOnlySpan<byte> file, out ReadOnlySpan<byte> bytes)
    {
        Span<byte> path = stackalloc byte[LongestPath];
        int length = 0;
        if (directory == LibC.AT_FDCWD)
        {
            Utf8.TryWrite(path, $"/proc/{processId}/", out length);
        }

        if (thread != processId)
        {
            Utf8.TryWrite(path[length..], $"task/{thread}/", out int threadLength);
            length += threadLength;
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
                if (length < _buffer.Length)
                {
                    // These files end where a read comes back short; another read would only confirm it.
                    break;
                }

                byte[] larger = Buffers.Allocate<byte>(length * 2);
                _buffer.CopyTo(larger, 0);
                _buffer = larger;
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
