using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A descriptor that names one process for good (pidfd_open(2), Linux 5.3): it becomes readable at the exit and can be
/// waited for (P_PIDFD, Linux 5.4) and signalled without ever meeting a stranger who got the same process id.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PidFd
{
    /// <summary>True if this kernel has all that is needed.</summary>
    public static bool IsSupported
    {
        get
        {
            int self = LibC.PidFdOpen(Environment.ProcessId);
            if (self < 0)
            {
                // Any other error (EMFILE, say) is of this moment, not of this kernel.
                return Marshal.GetLastPInvokeError() is not (Errno.ENOSYS or Errno.EPERM);
            }

            // We are not our own child: a kernel that knows P_PIDFD says ECHILD, one that does not EINVAL.
            bool isOurs = !IsTaken(self);
            int error = Marshal.GetLastPInvokeError();
            _ = LibC.Close(self);
            return isOurs || error == Errno.ECHILD;
        }
    }

    /// <summary>
    /// Opens the pidfd of a child that has just been started. Where SIGCHLD is ignored a child can be gone before that:
    /// then an event that has already happened stands in for it, and its status is lost.
    /// </summary>
    /// <exception cref="Win32Exception">It cannot be opened; the child has been killed and reaped.</exception>
    public static OwnedDescriptor OpenOrKill(int processId)
    {
        int result = LibC.PidFdOpen(processId);
        if (result < 0 && Marshal.GetLastPInvokeError() == Errno.ESRCH)
        {
            return OwnedDescriptor.From(LibC.EventFd(1, LibC.EFD_CLOEXEC), "eventfd");
        }

        return OwnOrKill(result, processId, "pidfd_open");
    }

    /// <summary>Opens it if the start has not brought it along.</summary>
    /// <exception cref="Win32Exception">It cannot be opened; the child has been killed and reaped.</exception>
    public static void OpenOrKill(int processId, ref OwnedDescriptor pidfd)
    {
        if (!pidfd.IsOpen)
        {
            pidfd = OpenOrKill(processId);
        }
    }

    /// <summary>Owns what a system call gave as the pidfd of a child that has just been started.</summary>
    /// <exception cref="Win32Exception">The call had failed, or it cannot be moved; the child has been killed and reaped.</exception>
    public static OwnedDescriptor OwnOrKill(int result, int processId, string call)
    {
        try
        {
            return OwnedDescriptor.From(result, call);
        }
        catch (Win32Exception)
        {
            LibC.SignalInfo info;
            _ = LibC.Kill(processId, LibC.SIGKILL);
            while (LibC.WaitId(LibC.P_PID, processId, &info, LibC.WEXITED, null) < 0
                && Marshal.GetLastPInvokeError() == Errno.EINTR)
            {
            }

            throw;
        }
    }

    /// <summary>Sends a signal to a child that nobody has reaped.</summary>
    /// <returns>False if it cannot be sent: to a set-user-id program, say, which has left what we are allowed to signal.</returns>
    public static bool Signal(int pidfd, int processId, int number)
    {
        if (LibC.PidFdSendSignal(pidfd, number) == 0)
        {
            return true;
        }

        // That call alone may be hidden by seccomp. The id of a child that nobody has reaped is no stranger's either.
        return Marshal.GetLastPInvokeError() is Errno.ENOSYS or Errno.EPERM && LibC.Kill(processId, number) == 0;
    }

    /// <summary>Whether somebody else has reaped the child, so that its process id can be a stranger's.</summary>
    public static bool IsTaken(int pidfd) =>
        LibC.WaitId(LibC.P_PIDFD, pidfd, null, LibC.WEXITED | LibC.WNOHANG | LibC.WNOWAIT, null) < 0
        && Marshal.GetLastPInvokeError() != Errno.EINTR;

    /// <summary>Whether the process has ended, be its status there to be had or not.</summary>
    public static bool IsReadable(int pidfd)
    {
        LibC.PollDescriptor polled = new() { fd = pidfd, events = LibC.POLLIN };
        return LibC.Poll(&polled, 1, 0) > 0;
    }

    /// <summary>Looks whether the child has ended and leaves it a zombie, so that its process id stays taken.</summary>
    /// <returns>Null while it lives, or while its status is not to be had yet.</returns>
    public static ExitStatus? Peek(int pidfd) => Wait(pidfd, LibC.WNOHANG | LibC.WNOWAIT, null);

    /// <summary>Reaps a child that has ended or is about to, having been killed.</summary>
    public static void Reap(int pidfd, out ResourceUse use)
    {
        LibC.ResourceUsage usage = default;
        Wait(pidfd, 0, &usage);
        use = new ResourceUse(
            Time(usage.ru_utime_sec, usage.ru_utime_usec),
            Time(usage.ru_stime_sec, usage.ru_stime_usec),
            usage.ru_maxrss * 1024);
    }

    private static ExitStatus? Wait(int pidfd, int option, LibC.ResourceUsage* usage)
    {
        // A readable pidfd is a hint (a tracer makes it readable too): only a process id in the answer is an exit.
        LibC.SignalInfo info = default;
        int options = LibC.WEXITED | option;
        while (LibC.WaitId(LibC.P_PIDFD, pidfd, &info, options, usage) < 0)
        {
            switch (Marshal.GetLastPInvokeError())
            {
                case Errno.EINTR:
                    continue;

                // Reaped by the kernel (SIGCHLD ignored) or by somebody who waits for any child.
                case Errno.ECHILD:
                    return Recover(pidfd);

                // The event that stands in for a child that was gone at once.
                case Errno.EBADF:
                    return ExitStatus.Lost;

                case int error:
                    throw new Win32Exception(error, $"waitid: {Marshal.GetPInvokeErrorMessage(error)}");
            }
        }

        if (info.si_pid == 0)
        {
            return null;
        }

        int value = info.si_status;
        return info.si_code == LibC.CLD_EXITED
            ? ExitStatus.Exited(value)
            : ExitStatus.Signaled(Signals.Named(value), value, info.si_code == LibC.CLD_DUMPED);
    }

    // The kernel keeps the status for the holder of a pidfd (PIDFD_INFO_EXIT, Linux 6.15). It has it only once the other's wait has
    // come to its end. Until then it tells of a process that is still there, or for a moment of none at all, and we come again.
    private static ExitStatus? Recover(int pidfd)
    {
        LibC.PidFdInfo info = new() { mask = LibC.PIDFD_INFO_EXIT };
        if (LibC.PidFdGetInfo(pidfd, &info) < 0)
        {
            return Marshal.GetLastPInvokeError() == Errno.ESRCH ? null : ExitStatus.Lost;
        }

        if ((info.mask & LibC.PIDFD_INFO_EXIT) == 0)
        {
            return null;
        }

        // The layout of wait(2)'s status: the signal in the low seven bits, then the core flag, then the code.
        int signal = info.exit_code & 0x7f;
        return signal == 0
            ? ExitStatus.Exited((info.exit_code >> 8) & 0xff)
            : ExitStatus.Signaled(Signals.Named(signal), signal, (info.exit_code & 0x80) != 0);
    }

    private static TimeSpan Time(long seconds, long microseconds) =>
        TimeSpan.FromTicks((seconds * TimeSpan.TicksPerSecond) + (microseconds * TimeSpan.TicksPerMicrosecond));
}
