using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the job of one child, to which its descendants belong as well, whatever they do: they cannot leave it.
/// The jobs that this process is in itself contain it.
/// </summary>
/// <remarks>
/// The owner is the child. It calls and disposes the job under its gate, because a closed handle may be another one's
/// already. The end of this process closes the handle, too.
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class JobObject : IDisposable
{
    private const int FirstRoom = 64;

    // Of a process with higher rights, the limited right alone is granted. Wine 8 wants the whole one for the question
    // whether a process is in a job.
    private const uint FullQuery = Kernel32.PROCESS_QUERY_INFORMATION | NtDll.SYNCHRONIZE;
    private const uint LimitedQuery = Kernel32.PROCESS_QUERY_LIMITED_INFORMATION | NtDll.SYNCHRONIZE;

    private readonly Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION _limits;
    private OwnedHandle _handle;
    private bool _killsOnClose;

    private JobObject(bool allowsBreakaway, Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits)
    {
        _handle = OwnedHandle.From(Kernel32.CreateJobObject(), "CreateJobObjectW");
        limits.LimitFlags |= allowsBreakaway ? Kernel32.JOB_OBJECT_LIMIT_BREAKAWAY_OK : 0;
        _limits = limits;
    }

    /// <summary>Gets the handle.</summary>
    public nint Handle => _handle.Value;

    /// <summary>Creates a job without members.</summary>
    /// <param name="killsOnClose">Whether the members are killed when the handle is closed.</param>
    /// <param name="allowsBreakaway">
    /// Whether a member may start processes outside the job, if it asks for that. Refused in any case if the members
    /// are killed or limited: every process of Cygwin and MSYS2 asks, if it may.
    /// </param>
    /// <param name="limits">The limits of each member.</param>
    /// <exception cref="Win32Exception">The system lacks memory, or refuses a limit.</exception>
    public static JobObject Create(
        bool killsOnClose, bool allowsBreakaway, Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits)
    {
        JobObject job = new(allowsBreakaway && !killsOnClose && limits.LimitFlags == 0, limits);
        if ((killsOnClose || job._limits.LimitFlags != 0) && !job.TrySetLimits(killsOnClose))
        {
            Win32Exception failure = SystemError.Of("SetInformationJobObject");
            job.Dispose();
            throw failure;
        }

        return job;
    }

    /// <summary>Sets whether the members are killed when the handle is closed.</summary>
    public bool TrySetKillOnClose(bool killsOnClose) => killsOnClose == _killsOnClose || TrySetLimits(killsOnClose);

    /// <summary>Kills all members.</summary>
    /// <param name="exitCode">Their exit code.</param>
    public bool TryTerminate(uint exitCode) => Kernel32.TerminateJobObject(Handle, exitCode);

    /// <summary>Lists the ids of the members. An id can belong to another process by the time it is used.</summary>
    /// <returns>False, with nothing added, if the system lacks memory.</returns>
    public bool TryList(List<int> ids)
    {
        for (nuint room = FirstRoom; ; room *= 2)
        {
            // The two counts take the place of one id.
            nuint* list = (nuint*)NativeMemory.Alloc(room + 1, (nuint)sizeof(nuint));
            try
            {
                bool isComplete = Kernel32.QueryInformationJobObject(
                    Handle, Kernel32.JobObjectBasicProcessIdList, list, (uint)((room + 1) * (nuint)sizeof(nuint)));
                if (isComplete)
                {
                    uint count = ((Kernel32.JOBOBJECT_BASIC_PROCESS_ID_LIST*)list)->NumberOfProcessIdsInList;
                    for (uint i = 1; i <= count; i++)
                    {
                        ids.Add((int)list[i]);
                    }

                    return true;
                }

                if (Marshal.GetLastPInvokeError() != Win32Error.ERROR_MORE_DATA)
                {
                    return false;
                }
            }
            finally
            {
                NativeMemory.Free(list);
            }
        }
    }

    /// <summary>
    /// Opens a member that lives. As long as it is open, its id belongs to no other process. A listed one can have
    /// ended, and a stranger can have its id.
    /// </summary>
    /// <param name="id">The id of the member.</param>
    /// <param name="isRefused">Whether this process may not look at the process with that id.</param>
    /// <returns>The process, to query it; closed if it is no member that lives, or this process may not look.</returns>
    public OwnedHandle OpenMember(int id, out bool isRefused)
    {
        nint process = Kernel32.OpenProcess(FullQuery, false, (uint)id);
        if (process == 0)
        {
            process = Kernel32.OpenProcess(LimitedQuery, false, (uint)id);
        }

        isRefused = process == 0 && Marshal.GetLastPInvokeError() == Win32Error.ERROR_ACCESS_DENIED;
        if (process == 0)
        {
            return default;
        }

        OwnedHandle opened = OwnedHandle.From(process, "OpenProcess");
        int isMember = 0;
        if (!Kernel32.IsProcessInJob(process, Handle, &isMember)
            || isMember == 0
            || Kernel32.WaitForSingleObject(process, 0) == Kernel32.WAIT_OBJECT_0)
        {
            opened.Close();
        }

        return opened;
    }

    /// <summary>Gets the processor time of all members, including those that have ended.</summary>
    public bool TryGetTimes(out TimeSpan user, out TimeSpan kernel)
    {
        bool isKnown = TryGetAccounting(out Kernel32.JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounting);
        user = new TimeSpan(accounting.TotalUserTime);
        kernel = new TimeSpan(accounting.TotalKernelTime);
        return isKnown;
    }

    /// <summary>Gets whether a member lives, or that cannot be asked.</summary>
    public bool HasMembers =>
        !TryGetAccounting(out Kernel32.JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounting)
        || accounting.ActiveProcesses > 0;

    /// <summary>Gets or sets whether members that live on are not to be killed when this process ends.</summary>
    public bool IsSpared { get; set; }

    /// <summary>Gets or sets the next of the jobs that outlive their children. Owned by the backend.</summary>
    public JobObject? NextKept { get; set; }

    /// <summary>Closes the handle, unless that kills somebody.</summary>
    public bool TryClose()
    {
        bool isHarmless = (IsSpared && TrySetKillOnClose(false)) || !HasMembers;
        if (isHarmless)
        {
            Dispose();
        }

        return isHarmless;
    }

    public void Dispose() => _handle.Close();

    private bool TrySetLimits(bool killsOnClose)
    {
        Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = _limits;
        limits.LimitFlags |= killsOnClose ? Kernel32.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE : 0;
        uint size = (uint)sizeof(Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION);
        bool isSet = Kernel32.SetInformationJobObject(
            Handle, Kernel32.JobObjectExtendedLimitInformation, &limits, size);
        _killsOnClose = isSet ? killsOnClose : _killsOnClose;
        return isSet;
    }

    private bool TryGetAccounting(out Kernel32.JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounting)
    {
        fixed (void* information = &accounting)
        {
            accounting = default;
            uint size = (uint)sizeof(Kernel32.JOBOBJECT_BASIC_ACCOUNTING_INFORMATION);
            return Kernel32.QueryInformationJobObject(
                Handle, Kernel32.JobObjectBasicAccountingInformation, information, size);
        }
    }
}
