using System;
using System.Runtime.InteropServices;

namespace PTest;

/// <summary>
/// Ends this process in order at Ctrl-C and SIGTERM, until the tests run: its children and its files go with it. The
/// default action of a signal would leave the files.
/// </summary>
internal sealed class EarlyEnd : IDisposable
{
    private readonly PosixSignalRegistration[] _registrations =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, End),
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, End),
    ];

    public void Dispose() => Array.ForEach(_registrations, registration => registration.Dispose());

    private static void End(PosixSignalContext context)
    {
        context.Cancel = true;
        Environment.Exit(ExitStatus.Interrupted);
    }
}
