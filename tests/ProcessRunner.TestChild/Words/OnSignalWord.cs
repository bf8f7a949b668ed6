using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild.Words;

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

    public override void Run()
    {
        if (s_registrations.Remove(Signal, out PosixSignalRegistration? former))
        {
            former.Dispose();
        }

        // The runtime leaves an ignored signal ignored in spite of a registration.
        if (LibC.IsIgnored(Signal))
        {
            SetDisposition(LibC.DefaultDisposition);
        }

        s_registrations.Add(Signal, PosixSignalRegistration.Create((PosixSignal)Signal, OnSignal));
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        base.Accept(values);
        _code = (int)Number("CODE", values[1], 0, byte.MaxValue);
    }

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
