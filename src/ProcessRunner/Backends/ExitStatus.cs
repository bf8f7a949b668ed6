using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>How a process ended: by an exit code, by a signal, or in a way that nobody can tell any more.</summary>
internal readonly record struct ExitStatus
{
    private readonly int _value;
    private readonly PosixSignal _name;
    private readonly Kind _kind;

    private ExitStatus(Kind kind, int value, PosixSignal name = default)
    {
        _kind = kind;
        _value = value;
        _name = name;
    }

    private enum Kind : byte
    {
        Lost,
        Exited,
        Signaled,
        Dumped,
    }

    public static ExitStatus Lost => default;

    /// <summary>The exit code, or null if a signal ended it or the status is lost.</summary>
    public int? Code => _kind == Kind.Exited ? _value : null;

    /// <summary>The signal that ended it, or null; one that .NET has no name for is its raw number.</summary>
    public PosixSignal? Signal => _kind >= Kind.Signaled ? _name : null;

    /// <summary>The raw number of that signal, or null.</summary>
    public int? SignalNumber => _kind >= Kind.Signaled ? _value : null;

    /// <summary>True if the kernel wrote a core dump.</summary>
    public bool CoreDumped => _kind == Kind.Dumped;

    /// <summary>True if somebody else reaped the child and the kernel cannot tell its status any more.</summary>
    public bool IsLost => _kind == Kind.Lost;

    public static ExitStatus Exited(int code) => new(Kind.Exited, code);

    public static ExitStatus Signaled(PosixSignal signal, int number, bool coreDumped) =>
        new(coreDumped ? Kind.Dumped : Kind.Signaled, number, signal);
}
