using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Describes how a process ended: by an exit code, by a signal, or with a status that has been lost.</summary>
internal readonly record struct ExitStatus
{
    // Every result keeps a status, so it takes eight bytes: the name and the number of a signal are small.
    private readonly int _value;
    private readonly sbyte _name;
    private readonly Kind _kind;

    private ExitStatus(Kind kind, int value, PosixSignal name = default)
    {
        _kind = kind;
        _value = value;
        _name = (sbyte)name;
    }

    private enum Kind : byte
    {
        Lost,
        Exited,
        Signaled,
        Dumped,
    }

    public static ExitStatus Lost => default;

    /// <summary>Gets the exit code, or null if a signal ended the process or the status is lost.</summary>
    public int? Code => _kind == Kind.Exited ? _value : null;

    /// <summary>
    /// Gets the signal that ended the process, or null. A signal for which .NET has no name is its raw number.
    /// </summary>
    public PosixSignal? Signal => _kind >= Kind.Signaled ? (PosixSignal)_name : null;

    /// <summary>Gets the raw number of that signal, or null.</summary>
    public int? SignalNumber => _kind >= Kind.Signaled ? _value : null;

    /// <summary>Gets whether the kernel wrote a core dump.</summary>
    public bool CoreDumped => _kind == Kind.Dumped;

    /// <summary>Gets whether other code reaped the child and the kernel no longer has its status.</summary>
    public bool IsLost => _kind == Kind.Lost;

    /// <summary>
    /// Gets what a code means with which Windows ends a process (ntstatus.h), or null. Codes of Unix are small.
    /// </summary>
    public string? Meaning => unchecked((uint)(Code ?? 0)) switch
    {
        0x80000003 => "breakpoint",
        0xC0000005 => "access violation",
        0xC0000006 => "a page could not be read",
        0xC0000017 => "out of memory",
        0xC000001D => "illegal instruction",
        0xC0000094 => "integer division by zero",
        0xC00000FD => "stack overflow",
        0xC0000135 => "a DLL was not found",
        0xC0000139 => "an entry point was not found in a DLL",
        0xC000013A => "ended by Ctrl-C or Ctrl-Break",
        0xC0000142 => "a DLL could not be initialized",
        0xC0000374 => "heap corruption",
        0xC0000409 => "fail-fast or stack buffer overrun",
        0xE0434352 => "unhandled .NET exception",
        _ => null,
    };

    public static ExitStatus Exited(int code) => new(Kind.Exited, code);

    /// <summary>Returns the status of a process that a signal has ended, without a core dump.</summary>
    public static ExitStatus Signaled(PosixSignal signal) =>
        Signaled(signal, SignalName.NumberOf(signal), coreDumped: false);

    public static ExitStatus Signaled(PosixSignal signal, int number, bool coreDumped) =>
        new(coreDumped ? Kind.Dumped : Kind.Signaled, number, signal);
}
