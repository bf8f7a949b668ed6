using System;
using System.Runtime.InteropServices;
using ProcessRunner;

namespace Batch;

/// <summary>
/// Stops the jobs when this program must end: on SIGTERM, and on SIGHUP when its terminal closes. A second signal ends
/// this program at once. The batch itself handles Ctrl-C.
/// </summary>
internal sealed class Termination : IDisposable
{
    private readonly PosixSignalRegistration _terminate;
    private readonly PosixSignalRegistration _hangUp;

    public Termination(BatchRun run)
    {
        void Stop(PosixSignalContext context)
        {
            // The known output may have no reader, and this program would wait for it forever.
            context.Cancel = !HasCome;
            HasCome = true;
            run.RequestStop();
        }

        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
        _hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, Stop);
    }

    public bool HasCome { get; private set; }

    public void Dispose()
    {
        _terminate.Dispose();
        _hangUp.Dispose();
    }
}
