using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>Represents a row of failing calls of one kind in a run, and their error.</summary>
/// <param name="Call">The name of the call at its <see cref="FaultPoint"/>.</param>
/// <param name="Error">The error number.</param>
/// <param name="First">The number of the first call that fails, from 1.</param>
/// <param name="Count">The number of calls that fail in a row.</param>
internal sealed record Fault(string Call, int Error, int First, int Count)
{
    private const int EPERM = 1;
    private const int EINTR = 4;
    private const int EAGAIN = 11;
    private const int ENOMEM = 12;
    private const int EACCES = 13;
    private const int EBUSY = 16;
    private const int ENFILE = 23;
    private const int EMFILE = 24;
    private const int ENOTTY = 25;
    private const int EFBIG = 27;
    private const int ENOSPC = 28;
    private const int ENOSYS = 38;

    private static readonly Dictionary<string, int[]> s_errors = new()
    {
        ["access"] = [EACCES, ENOMEM],
        ["buffer"] = [ENOMEM],
        ["clone"] = [EAGAIN, EMFILE, ENFILE, ENOMEM],
        ["dup3"] = [EBUSY, EMFILE],
        ["epoll_create1"] = [EMFILE, ENFILE, ENOMEM],
        ["epoll_ctl EPOLL_CTL_ADD"] = [ENOMEM, ENOSPC],
        ["epoll_wait"] = [EINTR],
        ["eventfd"] = [EMFILE, ENFILE, ENOMEM],
        ["fcntl F_DUPFD_CLOEXEC"] = [EMFILE],
        ["fcntl F_SETPIPE_SZ"] = [EPERM, EBUSY, ENOMEM],
        ["getpgid"] = [EPERM],
        ["ioctl PIDFD_GET_INFO"] = [ENOTTY, ENOMEM],
        ["kill"] = [EPERM],
        [FaultPoint.ManagedMemory] = [ENOMEM],
        ["memfd_create"] = [EMFILE, ENFILE, ENOMEM],
        ["native memory"] = [ENOMEM],
        ["open"] = [EMFILE, ENFILE, ENOMEM],
        ["openat"] = [EMFILE, ENOMEM, EACCES],
        ["opendir"] = [EMFILE, ENOMEM, EACCES],
        ["pidfd_open"] = [EMFILE, ENFILE, ENOMEM],
        ["pidfd_send_signal"] = [EPERM, ENOSYS],
        ["pipe2"] = [EMFILE, ENFILE],
        ["poll"] = [EINTR],
        ["posix_spawn"] = [EAGAIN, ENOMEM],
        ["posix_spawn_file_actions_addchdir_np"] = [ENOMEM],
        ["posix_spawn_file_actions_adddup2"] = [ENOMEM],
        ["posix_spawn_file_actions_init"] = [ENOMEM],
        ["pwrite"] = [EINTR, EFBIG, ENOSPC],
        ["pwrite to memory"] = [ENOMEM, ENOSPC],
        ["read"] = [EINTR],
        ["readv"] = [EINTR, EAGAIN],
        ["statx"] = [EACCES, ENOMEM],
        ["thread"] = [EAGAIN],
        ["user code"] = [ENOMEM],
        ["waitid"] = [EINTR],
        ["write"] = [EINTR, EAGAIN, ENOMEM],
    };

    private int _calls;

    /// <summary>Gets whether the run has reached the last call that was to fail.</summary>
    public bool HasPassed => Volatile.Read(ref _calls) >= First + Count - 1;

    /// <summary>Gets whether the call can be repeated at once, so that the fault must not affect a run.</summary>
    public bool IsHarmless => Error is EINTR or EAGAIN && Call is not ("clone" or "posix_spawn" or "thread");

    /// <summary>Gets whether the fault denies this process a look at another process.</summary>
    public bool IsDenial => Call is "openat" or "opendir" && Error == EACCES;

    /// <summary>Gets the errors of a call, according to its man page.</summary>
    public static IEnumerable<int> ErrorsOf(string call) => s_errors.TryGetValue(call, out int[]? errors) ? errors : [];

    /// <summary>Answers the fault point.</summary>
    public int Decide(string call)
    {
        if (call != Call)
        {
            return 0;
        }

        int number = Interlocked.Increment(ref _calls);
        return number >= First && number < First + Count ? Error : 0;
    }
}
