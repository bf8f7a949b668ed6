using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>How a process ended: by an exit code, by a signal, or in a way that nobody can tell any more.</summary>
internal readonly record struct ExitStatus
{
    /// <summary>The exit code, or null if a signal ended it or the status is lost.</summary>
    public int? Code { get; private init; }

    /// <summary>The signal that ended it, or null; one that .NET has no name for is its raw number.</summary>
    public PosixSignal? Signal { get; private init; }

    /// <summary>The raw number of that signal, or null.</summary>
    public int? SignalNumber { get; private init; }

    /// <summary>True if the kernel wrote a core dump.</summary>
    public bool CoreDumped { get; private init; }

    /// <summary>True if somebody else reaped the child and the kernel cannot tell its status any more.</summary>
    public bool IsLost => Code is null && Signal is null;

    public static ExitStatus Lost => default;

    public static ExitStatus Exited(int code) => new() { Code = code };

    public static ExitStatus Signaled(PosixSignal signal, int number, bool coreDumped) =>
        new() { Signal = signal, SignalNumber = number, CoreDumped = coreDumped };
}
