using System;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>Creates tasks that have failed.</summary>
internal static class FailedTask
{
    /// <summary>
    /// Creates a task as an async method would: an <see cref="OperationCanceledException"/> cancels the task, which
    /// keeps the exception's message and data. Only the compiler's own task builder can create such a task.
    /// </summary>
    public static Task<T> Of<T>(Exception exception)
    {
        AsyncTaskMethodBuilder<T> builder = AsyncTaskMethodBuilder<T>.Create();
        builder.SetException(exception);
        return builder.Task;
    }
}
