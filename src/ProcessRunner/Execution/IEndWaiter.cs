using System.Runtime.ExceptionServices;

namespace ProcessRunner.Execution;

/// <summary>Waits for the end of a run without a thread. A run keeps its waiters in a list of their own links.</summary>
internal interface IEndWaiter
{
    /// <summary>The one behind it in the run's list; owned by that list.</summary>
    IEndWaiter? Next { get; set; }

    /// <summary>
    /// The run has ended. Comes once, with the child's gate held: takes no other lock, and calls no user code. It comes again
    /// if it has thrown an <see cref="System.OutOfMemoryException"/>.
    /// </summary>
    /// <param name="result">The result, or null if the child was never started.</param>
    /// <param name="startFailure">Why it was not, or null.</param>
    void OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure);
}
