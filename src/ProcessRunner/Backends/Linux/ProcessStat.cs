using System;
using System.Buffers.Text;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>What the kernel says of one process in /proc/PID/stat (proc_pid_stat(5)).</summary>
/// <param name="State">A letter.</param>
/// <param name="GroupId">Its process group.</param>
/// <param name="Flags">PF_ flags of the kernel (linux/sched.h).</param>
/// <param name="StartTime">When it was started, in ticks since the boot: tells it from another one of the same id.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct ProcessStat(byte State, int GroupId, uint Flags, ulong StartTime)
{
    private const uint PF_FORKNOEXEC = 0x40;
    private const uint PF_KTHREAD = 0x00200000;

    // The places of the fields behind the name.
    private const int GroupField = 2;
    private const int FlagsField = 6;
    private const int StartTimeField = 19;

    /// <summary>Whether it is neither a zombie nor gone.</summary>
    public bool IsLive => State is not ((byte)'Z' or (byte)'X' or 0);

    /// <summary>Whether it is a thread of the kernel's, which descends from nobody.</summary>
    public bool IsKernelThread => (Flags & PF_KTHREAD) != 0;

    /// <summary>Whether a signal has stopped it.</summary>
    public bool IsStopped => State == (byte)'T';

    /// <summary>Whether it has executed no program since it was made.</summary>
    public bool IsHalfMade => IsLive && (Flags & PF_FORKNOEXEC) != 0;

    /// <summary>Reads the line "pid (name) state parent group …", in which the name may hold parentheses and spaces.</summary>
    /// <returns>False if it is not whole.</returns>
    public static bool TryParse(ReadOnlySpan<byte> line, out ProcessStat stat)
    {
        stat = default;
        ReadOnlySpan<byte> fields = line[(line.LastIndexOf((byte)')') + 1)..].TrimStart((byte)' ');
        int number = 0;
        byte state = 0;
        int groupId = 0;
        uint flags = 0;
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
                    break;

                case StartTimeField when Utf8Parser.TryParse(field, out ulong startTime, out _):
                    stat = new ProcessStat(state, groupId, flags, startTime);
                    return true;

                case 0 or GroupField or FlagsField or StartTimeField:
                    return false;
            }
        }

        return false;
    }
}
