using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Which result belongs to an exception that a wait threw. User code may throw one and the same object in several runs: the
/// first of them keeps it, and each of the others gets a copy, of the same type and with the same content. Safe from any thread.
/// </summary>
/// <remarks><c>s_gate</c> guards what runs have of it. It is taken inside a child's gate, and nothing else inside it.</remarks>
internal static class ResultOfException
{
    private static readonly object s_gate = new();
    private static readonly ConditionalWeakTable<Exception, ProcessResult> s_results = [];

    /// <summary>The result that belongs to an exception, or null.</summary>
    public static ProcessResult? Find(Exception exception) =>
        s_results.TryGetValue(exception, out ProcessResult? result) ? result : null;

    /// <summary>Has a new exception lead to a result.</summary>
    public static void Set(Exception exception, ProcessResult result) => s_results.Add(exception, result);

    /// <summary>Has what user code threw lead to the result of its run.</summary>
    /// <param name="failure">What it threw. A copy takes its place if it leads to another result already.</param>
    /// <param name="result">What came of the run. All who wait for it throw the same exception.</param>
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
