using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Provides access to pidfds. A pidfd is a descriptor that names one process for good (pidfd_open(2), Linux 5.3): it
/// becomes readable at the exit, and the process can be waited for (P_PIDFD, Linux 5.4) and signaled without ever
/// reaching a stranger that has received the same process id.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PidFd
{
    // A child that has been killed ends at once, unless it runs a set-user-id program that this process may not signal,
    // hangs in the kernel, or is traced. It then lives on, and its id stays reserved.
    private static readonly TimeSpan s_killPatience = TimeSpan.FromSeconds(5);

    // How long the pidfd of a child whose program runs already may wait for a descriptor that another thread holds.
    private static readonly TimeSpan s_descriptorPatience = TimeSpan.FromSeconds(1);

    /// <summary>Gets whether this kernel supports everything that pidfds need.</summary>
    public static bool IsSupported
    {
        get
        {
            int self = LibC.PidFdOpen(Environment.ProcessId);
            if (self < 0)
            {
                // Any other error (EMFILE, for example) is temporary and says nothing about the kernel.
                return Marshal.GetLastPInvokeError() is not (Errno.ENOSYS or Errno.EPERM);
            }

            // This process is not its own child: a kernel that supports P_PIDFD returns ECHILD, any other EINVAL.
            bool isOurs = !IsTaken(self);
            int error = Marshal.GetLastPInvokeError();
            _ = LibC.Close(self);
            return isOurs || error == Errno.ECHILD;
        }
    }

    /// <summary>
    /// Opens the pidfd of a child that has just been started, and waits a moment for a descriptor if none is free. If
    /// SIGCHLD is ignored, the child can already be gone. An eventfd that is already signaled then replaces the pidfd,
    /// and the status is lost.
    /// </summary>
    /// <exception cref="LaunchException">The pidfd cannot be opened; the child has been killed.</exception>
    public static OwnedDescriptor OpenOrKill(int processId)
    {
        int result = OpenInTime(processId);
        if (result >= 0 || Marshal.GetLastPInvokeError() != Errno.ESRCH)
        {
            return OwnOrKill(result, processId, "pidfd_open");
        }

        try
        {
            return OwnedDescriptor.From(LibC.EventFd(1, LibC.EFD_CLOEXEC), "eventfd");
        }
        catch (Win32Exception exception)
        {
            throw Unwatched(exception);
        }
    }

    /// <summary>Takes ownership of the result of a system call that creates the pidfd of a new child.</summary>
    /// <exception cref="LaunchException">
    /// The call failed, or the descriptor cannot be moved; the child has been killed.
    /// </exception>
    public static OwnedDescriptor OwnOrKill(int result, int processId, string call)
    {
        try
        {
            return OwnedDescriptor.From(result, call);
        }
        catch (Win32Exception exception)
        {
            KillAndReap(processId);
            throw Unwatched(exception);
        }
    }

    /// <summary>Sends a signal to a child.</summary>
    /// <returns>
    /// False if the signal cannot be sent: the child has been reaped, or it runs a set-user-id program that this
    /// process may not signal.
    /// </returns>
    public static bool Signal(int pidfd, int processId, int number)
    {
        if (LibC.PidFdSendSignal(pidfd, number) == 0)
        {
            return true;
        }

        // seccomp may hide that call alone. The id of a child that has not been reaped belongs to no stranger either.
        return Marshal.GetLastPInvokeError() is Errno.ENOSYS or Errno.EPERM
            && !IsTaken(pidfd)
            && LibC.Kill(processId, number) == 0;
    }

    /// <summary>
    /// Returns whether the process id may belong to a stranger: other code has reaped the child, or the kernel does not
    /// say.
    /// </summary>
    public static bool IsTaken(int pidfd) =>
        LibC.WaitId(LibC.P_PIDFD, pidfd, null, LibC.WEXITED | LibC.WNOHANG | LibC.WNOWAIT, null) < 0
        && Marshal.GetLastPInvokeError() != Errno.EINTR;

    /// <summary>Returns whether the process has ended, even if its status is not available.</summary>
    public static bool IsReadable(int pidfd) => Poll(pidfd, 0) > 0;

    /// <summary>Blocks until the process has ended.</summary>
    /// <returns>False if it has not ended in the given time.</returns>
    public static bool AwaitExit(int pidfd, TimeSpan limit)
    {
        long end = MonotonicClock.In(limit);
        int ready;
        do
        {
            ready = Poll(pidfd, MonotonicClock.MillisecondsUntil(end, MonotonicClock.Now));
        }
        while (ready < 0 && Marshal.GetLastPInvokeError() == Errno.EINTR);

        return ready > 0;
    }

    /// <summary>Blocks until a process that has been killed has ended, but only for a few seconds.</summary>
    /// <returns>False if it lives on.</returns>
    public static bool AwaitKilled(int pidfd) => AwaitExit(pidfd, s_killPatience);

    /// <summary>
    /// Checks whether the child has ended and leaves it a zombie, so that its process id stays taken.
    /// </summary>
    /// <returns>Null while the child lives, or while its status is not available yet.</returns>
    public static ExitStatus? Peek(int pidfd) => Wait(pidfd, LibC.WNOHANG | LibC.WNOWAIT, null);

    /// <summary>
    /// Reaps a child that has ended or, having been killed, is about to end. If the kernel refuses, the child stays a
    /// zombie.
    /// </summary>
    public static void Reap(int pidfd, out ResourceUse use)
    {
        LibC.ResourceUsage usage = default;
        Wait(pidfd, 0, &usage);
        use = new ResourceUse(
            Time(usage.ru_utime_sec, usage.ru_utime_usec),
            Time(usage.ru_stime_sec, usage.ru_stime_usec),
            usage.ru_maxrss * 1024);
    }

    // The place that was kept for the pidfd can be taken by another thread just before.
    private static int OpenInTime(int processId)
    {
        long end = MonotonicClock.In(s_descriptorPatience);
        int result;
        while ((result = LibC.PidFdOpen(processId)) < 0
            && Marshal.GetLastPInvokeError() is Errno.EMFILE or Errno.ENFILE
            && MonotonicClock.Now < end)
        {
            Pause();
        }

        return result;
    }

    // Without a pidfd, nothing tells of the exit. A child that does not end in time is left.
    private static void KillAndReap(int processId)
    {
        _ = LibC.Kill(processId, LibC.SIGKILL);
        long end = MonotonicClock.In(s_killPatience);
        while (!IsReaped(processId) && MonotonicClock.Now < end)
        {
            Pause();
        }
    }

    private static void Pause() => LibC.Poll(null, 0, timeoutMilliseconds: 1);

    private static bool IsReaped(int processId)
    {
        LibC.SignalInfo info = default;
        return LibC.WaitId(LibC.P_PID, processId, &info, LibC.WEXITED | LibC.WNOHANG, null) < 0
            ? Marshal.GetLastPInvokeError() != Errno.EINTR
            : info.si_pid != 0;
    }

    // No shortage that passes: the same start would run the program a second time.
    private static LaunchException Unwatched(Win32Exception exception) => new(
        exception.NativeErrorCode,
        LaunchStep.Other,
        "its program was started, but could not be watched, and was killed");

    private static int Poll(int pidfd, int timeout)
    {
        LibC.PollDescriptor polled = new() { fd = pidfd, events = LibC.POLLIN };
        return LibC.Poll(&polled, 1, timeout);
    }

    private static ExitStatus? Wait(int pidfd, int option, LibC.ResourceUsage* usage)
    {
        // A readable pidfd is only a hint, because a tracer makes it readable too. Only a process id in the result
        // means an exit.
        LibC.SignalInfo info = default;
        int options = LibC.WEXITED | option;
        while (LibC.WaitId(LibC.P_PIDFD, pidfd, &info, options, usage) < 0)
        {
            switch (Marshal.GetLastPInvokeError())
            {
                case Errno.EINTR:
                    continue;

                // Reaped by the kernel (SIGCHLD ignored) or by code that waits for any child.
                case Errno.ECHILD:
                    return Recover(pidfd);

                // The eventfd that replaces the pidfd of a child that was gone at once.
                case Errno.EBADF:
                    return ExitStatus.Lost;

                // A seccomp filter that this process has installed since, for example.
                default:
                    return null;
            }
        }

        if (info.si_pid == 0)
        {
            return null;
        }

        int value = info.si_status;
        return info.si_code == LibC.CLD_EXITED
            ? ExitStatus.Exited(value)
            : ExitStatus.Signaled(SignalName.Named(value), value, info.si_code == LibC.CLD_DUMPED);
    }

    // The kernel keeps the status for the holder of a pidfd (PIDFD_INFO_EXIT, Linux 6.15), but only once the other
    // caller's wait has finished. Until then it reports a process that still exists or, for a moment, none at all, and
    // the child is checked again later.
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

        // The layout of wait(2)'s status: the signal in the low seven bits, then the core flag, then the exit code.
        int signal = info.exit_code & 0x7f;
        return signal == 0
            ? ExitStatus.Exited((info.exit_code >> 8) & 0xff)
            : ExitStatus.Signaled(SignalName.Named(signal), signal, (info.exit_code & 0x80) != 0);
    }

    private static TimeSpan Time(long seconds, long microseconds) =>
        TimeSpan.FromTicks((seconds * TimeSpan.TicksPerSecond) + (microseconds * TimeSpan.TicksPerMicrosecond));
}
