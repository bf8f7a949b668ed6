using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Provides the results of a batch as they arrive, for <c>await foreach</c>. The enumeration starts the batch and can
/// run only once. A slow loop holds the batch back: nothing further starts once as many results wait as there are
/// slots, or 64 if that is more. Leaving the loop early stops the running commands and waits until they are gone and
/// the code of the input has ended, including its <c>finally</c> blocks. An input that does not return its next command
/// within a second is left behind, and its code ends later. The tasks of the steps need no ThreadPool thread to
/// complete, so it is safe to block on them.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class AsyncBatchResults : BatchRun, IAsyncEnumerable<BatchResult>
{
    internal AsyncBatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>
    /// Enumerates the results. The first step starts the batch, and its task reports the exceptions below.
    /// </summary>
    /// <param name="cancellationToken">
    /// Stops the running commands. The enumeration yields the results that are known, and then throws.
    /// </param>
    /// <exception cref="InvalidOperationException">The batch has already been enumerated.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be created.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The engine requires a native backend (<see cref="EngineBackend.Native"/>), and this system has none.
    /// </exception>
    public IAsyncEnumerator<BatchResult> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new BatchEnumerator<BatchResult>(this, static result => result, cancellationToken);
}
