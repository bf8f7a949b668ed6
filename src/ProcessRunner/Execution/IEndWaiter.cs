using System.Runtime.ExceptionServices;

namespace ProcessRunner.Execution;

/// <summary>Waits for the end of a run without a blocked thread. The waiters of a run form a linked list.</summary>
internal interface IEndWaiter
{
    /// <summary>Gets or sets the next waiter in the run's list. Owned by that list.</summary>
    IEndWaiter? Next { get; set; }

    /// <summary>
    /// Handles the start of the child, if the waiter was there before. Called with the child's gate held, as
    /// <see cref="OnEnded"/> is, and needs no memory.
    /// </summary>
    void OnStarted()
    {
    }

    /// <summary>
    /// Handles the end of the run. Called once, with the child's gate held: the implementation acquires no other lock
    /// and calls no user code. Called again if it has thrown an <see cref="System.OutOfMemoryException"/>.
    /// </summary>
    /// <param name="result">The result, or null if the child was never started.</param>
    /// <param name="startFailure">The reason why the child was never started, or null.</param>
    void OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure);
}
