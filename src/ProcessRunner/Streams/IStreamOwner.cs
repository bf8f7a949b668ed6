using System;
using System.Threading;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents the run that the streams belong to. Provides the services they need, and stops its child if it writes
/// more than it may.
/// </summary>
internal interface IStreamOwner
{
    /// <summary>Gets the services that all children of the engine share.</summary>
    StreamServices Services { get; }

    /// <summary>Gets the context in which user code runs, or null for the default context.</summary>
    ExecutionContext? Context { get; }

    /// <summary>Gets whether the run has ended.</summary>
    bool HasEnded { get; }

    /// <summary>Handles output over the limit. Called once, with the child's gate held.</summary>
    void OnExceeded();

    /// <summary>
    /// Handles a lack of memory for the child's output. Called with the child's gate held; allocates no memory itself.
    /// </summary>
    void OnOutOfMemory(OutOfMemoryException exception);
}
