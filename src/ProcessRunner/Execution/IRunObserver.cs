using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>Who is told of the end of a run that was started for it.</summary>
internal interface IRunObserver
{
    /// <summary>In which user code is called for the run; null for the default one.</summary>
    ExecutionContext? Context { get; }

    /// <summary>
    /// The run has ended and everything of it is released. Comes once, on a reactor's thread with no lock held, unless the run
    /// <see cref="ChildLife.HasEndedAtStart"/>; calls no user code and does not block.
    /// </summary>
    void OnEnded(ProcessResult result);
}
