using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>Observes the end of a run that was started on its behalf.</summary>
internal interface IRunObserver
{
    /// <summary>Gets the context in which the run calls user code, or null for the default context.</summary>
    ExecutionContext? Context { get; }

    /// <summary>
    /// Handles the end of the run, after everything of it is released. Called once, on a reactor's thread with no lock
    /// held, unless <see cref="ChildLife.HasEndedAtStart"/> is true. The implementation calls no user code and does not
    /// block.
    /// </summary>
    void OnEnded(ProcessResult result);
}
