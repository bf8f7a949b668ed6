using System;
using System.Buffers.Text;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Processes;

/// <summary>Describes one process as the kernel reports it in /proc/PID/stat (proc_pid_stat(5)).</summary>
/// <param name="State">The letter for the state.</param>
/// <param name="GroupId">The process group.</param>
/// <param name="Flags">The PF_ flags of the kernel (linux/sched.h).</param>
/// <param name="Threads">The number of threads, including a first thread that has ended before the others.</param>
/// <param name="StartTime">
/// The start time in ticks since the boot, which distinguishes the process from another one with the same id.
/// </param>
/// <param name="StartCode">The address at which its code begins; 0 until an exec has ended.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct ProcessStat(
    byte State, int GroupId, uint Flags, int Threads, ulong StartTime, ulong StartCode)
{
    private const uint PF_FORKNOEXEC = 0x40;
    private const uint PF_KTHREAD = 0x00200000;

    // The indexes of the fields after the name.
    private const int GroupField = 2;
    private const int FlagsField = 6;
    private const int ThreadsField = 17;
    private const int StartTimeField = 19;
    private const int StartCodeField = 23;

    /// <summary>Gets whether the process is neither a zombie nor gone.</summary>
    public bool IsLive => HasLostItsFirstThread || State is not ((byte)'Z' or (byte)'X' or 0);

    /// <summary>
    /// Gets whether the process lives on in its other threads. The kernel then shows the state of a zombie, and no
    /// memory (pthread_exit(3)).
    /// </summary>
    public bool HasLostItsFirstThread => State == (byte)'Z' && Threads > 1;

    /// <summary>Gets whether the process is a kernel thread, which descends from no child.</summary>
    public bool IsKernelThread => (Flags & PF_KTHREAD) != 0;

    /// <summary>
    /// Gets whether the process is in the middle of an exec. The kernel sets the environment before the code
    /// (load_elf_binary in fs/binfmt_elf.c), and a busy machine can suspend the process in between.
    /// </summary>
    public bool IsInExec => IsLive && !HasLostItsFirstThread && !IsKernelThread && StartCode == 0;

    /// <summary>Gets whether a signal has stopped the process.</summary>
    public bool IsStopped => State == (byte)'T';

    /// <summary>Gets whether the process has not executed a program since it was created.</summary>
    public bool IsHalfMade => IsLive && (Flags & PF_FORKNOEXEC) != 0;

    /// <summary>
    /// Parses the line "pid (name) state parent group …", in which the name may contain parentheses and spaces.
    /// </summary>
    /// <returns>False if the line is incomplete.</returns>
    public static bool TryParse(ReadOnlySpan<byte> line, out ProcessStat stat)
    {
        stat = default;
        ReadOnlySpan<byte> fields = line[(line.LastIndexOf((byte)')') + 1)..].TrimStart((byte)' ');
        int number = 0;
        byte state = 0;
        int groupId = 0;
        uint flags = 0;
        int threads = 0;
        ulong startTime = 0;
        foreach (Range range in fields.Split((byte)' '))
        {
            ReadOnlySpan<byte> field = fields[range];
            switch (number++)
            {
                case 0 when field.Length == 1:
                    state = field[0];
                    break;

                case GroupField when Utf8Parser.TryParse(field, out groupId, out _):
                case FlagsField when Utf8Parser.TryParse(field, out flags, out _):
                case ThreadsField when Utf8Parser.TryParse(field, out threads, out _):
                case StartTimeField when Utf8Parser.TryParse(field, out startTime, out _):
                    break;

                case StartCodeField when Utf8Parser.TryParse(field, out ulong startCode, out _):
                    stat = new ProcessStat(state, groupId, flags, threads, startTime, startCode);
                    return true;

                case 0 or GroupField or FlagsField or ThreadsField or StartTimeField or StartCodeField:
                    return false;
            }
        }

        return false;
    }
}
