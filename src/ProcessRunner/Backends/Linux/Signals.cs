using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>Provides how this process handles its signals.</summary>
[SupportedOSPlatform("linux")]
internal static class Signals
{
    /// <summary>
    /// Returns whether this process has a handler for a signal at the moment, so that the signal is neither ignored nor
    /// left to its default.
    /// </summary>
    public static unsafe bool IsHandled(int number)
    {
        LibC.SignalAction action;
        return LibC.SetSignalAction(number, null, &action) == 0
            && action.sa_handler is not (LibC.SIG_DFL or LibC.SIG_IGN);
    }
}
