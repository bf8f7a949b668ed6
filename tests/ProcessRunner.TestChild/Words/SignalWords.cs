using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild.Words;

/// <summary>Represents a word whose first value is a signal.</summary>
internal abstract class SignalBaseWord : Word
{
    public override string Values => "SIGNAL";

    protected override int ValueCount => 1;

    /// <summary>Gets the name of the signal, without SIG.</summary>
    protected string SignalName { get; private set; } = "";

    protected int Signal { get; private set; }

    /// <summary>Gets whether .NET has the word on Windows, for the events of a console.</summary>
    protected virtual bool IsForWindows => false;

    protected override void Accept(ReadOnlySpan<string> values)
    {
        if (OperatingSystem.IsWindows() && !IsForWindows)
        {
            throw new UsageException($"'{Name}': Windows has no signals");
        }

        SignalName = values[0];
        Signal = SignalNames.Number(SignalName);
        if (Signal == 0)
        {
            throw BadValue("SIGNAL is a name like TERM", SignalName);
        }
    }
}

/// <summary>Represents a word that sets the disposition of a signal, which KILL and STOP do not allow.</summary>
internal abstract class DispositionWord : SignalBaseWord
{
    protected override void Accept(ReadOnlySpan<string> values)
    {
        base.Accept(values);
        if (Signal is SignalNames.Kill or SignalNames.Stop)
        {
            throw BadValue("SIGNAL is a signal that can be caught", SignalName);
        }
    }

    protected void SetDisposition(nint disposition)
    {
        if (LibC.SetDisposition(Signal, disposition) == LibC.DispositionError)
        {
            throw new WordFailedException($"'{Name}': {SignalName} keeps its disposition");
        }
    }
}

internal sealed class IgnoreWord : DispositionWord
{
    public const string Id = "ignore";

    public override string Name => Id;

    public override string Description => "ignores SIGNAL: TERM, INT, HUP, QUIT, USR1, PIPE...";

    public override void Run() => SetDisposition(LibC.IgnoreDisposition);
}

internal sealed class ResetWord : DispositionWord
{
    public const string Id = "reset";

    public override string Name => Id;

    public override string Description => "restores the default disposition of SIGNAL";

    public override void Run() => SetDisposition(LibC.DefaultDisposition);
}

internal sealed class OnSignalWord : DispositionWord
{
    public const string Id = "on-signal";

    // A collected registration stops listening.
    private static readonly Dictionary<int, PosixSignalRegistration> s_registrations = [];

    private int _code;

    public override string Name => Id;

    public override string Values => "SIGNAL CODE";

    public override string Description => "from now on SIGNAL prints 'got SIGNAL' and ends the program with CODE";

    protected override int ValueCount => 2;

    protected override bool IsForWindows => true;

    public override void Run()
    {
        if (s_registrations.Remove(Signal, out PosixSignalRegistration? former))
        {
            former.Dispose();
        }

        // The runtime leaves an ignored signal ignored in spite of a registration.
        if (!OperatingSystem.IsWindows() && LibC.IsIgnored(Signal))
        {
            SetDisposition(LibC.DefaultDisposition);
        }

        s_registrations.Add(Signal, PosixSignalRegistration.Create(ForRegistration(), OnSignal));
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        base.Accept(values);
        _code = (int)Number("CODE", values[1], 0, byte.MaxValue);
    }

    // On Windows .NET takes no numbers.
    private PosixSignal ForRegistration() => SignalName switch
    {
        "HUP" => PosixSignal.SIGHUP,
        "INT" => PosixSignal.SIGINT,
        "QUIT" => PosixSignal.SIGQUIT,
        "TERM" => PosixSignal.SIGTERM,
        _ => (PosixSignal)Signal,
    };

    private void OnSignal(PosixSignalContext context)
    {
        int exitCode = _code;
        try
        {
            StandardStreams.WriteLine(StandardStreams.Output, "got " + SignalName);
        }
        catch (WordFailedException exception)
        {
            Program.Complain(exception.Message);
            exitCode = exception.ExitCode;
        }

        Environment.Exit(exitCode);
    }
}

internal sealed class SignalWord : SignalBaseWord
{
    public const string Id = "signal";

    public override string Name => Id;

    public override string Description => "restores the default disposition of SIGNAL and sends it to itself";

    public override void Run()
    {
        // KILL and STOP fail here, and do not need the default disposition.
        _ = LibC.SetDisposition(Signal, LibC.DefaultDisposition);
        _ = LibC.Kill(Environment.ProcessId, Signal);
    }
}

internal sealed class AbortWord : Word
{
    public const string Id = "abort";

    public override string Name => Id;

    public override string Description => "calls abort(3)";

    public override void Run()
    {
        if (OperatingSystem.IsWindows())
        {
            Environment.FailFast("as asked");
        }

        LibC.Abort();
    }
}
