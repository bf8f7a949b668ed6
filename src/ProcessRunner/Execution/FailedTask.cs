using System;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>Makes tasks that have failed.</summary>
internal static class FailedTask
{
    /// <summary>
    /// Makes one as an async method would: an <see cref="OperationCanceledException"/> makes it a cancelled one, and keeps
    /// its message and data. Only a task of the compiler's own kind can be made so.
    /// </summary>
    public static Task<T> Of<T>(Exception exception)
    {
        AsyncTaskMethodBuilder<T> builder = AsyncTaskMethodBuilder<T>.Create();
        builder.SetException(exception);
        return builder.Task;
    }
}
