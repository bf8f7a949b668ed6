using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Associates each exception that a wait threw with its result. User code may throw the same object in several runs:
/// the first run keeps it, and each of the others gets a copy of the same type and with the same content. Thread-safe.
/// </summary>
/// <remarks>
/// The table belongs to the process, because runs of different engines may throw the same exception. <c>s_gate</c>
/// guards the claims of runs. It is acquired inside a child's gate, and no other lock is acquired inside it.
/// </remarks>
internal static class ResultOfException
{
    private static readonly object s_gate = new();
    private static readonly ConditionalWeakTable<Exception, ProcessResult> s_results = [];

    /// <summary>Returns the result associated with an exception, or null.</summary>
    public static ProcessResult? Find(Exception exception) =>
        s_results.TryGetValue(exception, out ProcessResult? result) ? result : null;

    /// <summary>Creates the exception of a canceled wait.</summary>
    /// <param name="command">The command or the pipeline that was canceled.</param>
    /// <param name="result">The result of the stopped child, or null if there was none.</param>
    /// <param name="token">The token that was canceled.</param>
    public static OperationCanceledException OfCancellation(
        object command, ProcessResult? result, CancellationToken token)
    {
        OperationCanceledException exception = new($"Canceled: {command}", token);
        if (result is not null)
        {
            s_results.Add(exception, result);
        }

        return exception;
    }

    /// <summary>Associates an exception that user code threw with the result of its run.</summary>
    /// <param name="failure">The exception. A copy replaces it if it is already associated with another result.</param>
    /// <param name="result">The result of the run. All its waiters throw the same exception.</param>
    public static void Claim(ref ExceptionDispatchInfo failure, ProcessResult result)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            Exception exception = failure.SourceException;
            if (s_results.TryAdd(exception, result) || Find(exception) == result)
            {
                return;
            }

            Exception copy = (Exception)Clone(exception);
            s_results.Add(copy, result);
            failure = ExceptionDispatchInfo.Capture(copy);
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "MemberwiseClone")]
    private static extern object Clone(object original);
}
