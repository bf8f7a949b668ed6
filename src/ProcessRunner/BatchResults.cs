using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Provides the results of a batch as they arrive, for <c>foreach</c>. The enumeration starts the batch and can run
/// only once. A slow loop holds the batch back: nothing further starts once as many results wait as there are slots, or
/// 64 if that is more. Leaving the loop early stops the running commands and waits until they are gone and the code of
/// the input has ended, including its <c>finally</c> blocks. An input that does not return its next command within a
/// second is left behind, and its code ends later.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class BatchResults : BatchRun, IEnumerable<BatchResult>
{
    internal BatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>Enumerates the results. The first step starts the batch, and throws the exceptions below.</summary>
    /// <exception cref="InvalidOperationException">The batch has already been enumerated.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be created.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The engine requires a native backend (<see cref="EngineBackend.Native"/>), and this system has none.
    /// </exception>
    /// <exception cref="System.Threading.ThreadInterruptedException">
    /// In any step: the waiting thread was interrupted (<see cref="System.Threading.Thread.Interrupt"/>).
    /// </exception>
    public IEnumerator<BatchResult> GetEnumerator() => Enumerate();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
