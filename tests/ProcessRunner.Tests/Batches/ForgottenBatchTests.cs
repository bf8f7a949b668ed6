using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies batches whose enumeration is begun by hand and never disposed.</summary>
[Collection(Alone.Name)]
public sealed class ForgottenBatchTests
{
    private int _endedInputs;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void BatchThatIsForgotten_IsStopped(bool isAsync) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        BeginAndForget(isAsync, engine);
        Eventually.Is(
            () => Collected() && engine.LiveChildren == 0 && Volatile.Read(ref _endedInputs) == 1,
            "the children and the code of the input have ended");
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void BatchThatIsRead_IsNotStopped_HoweverOftenTheCollectorRuns(bool isAsync) => Guard.Run(() =>
    {
        IEnumerable<ProcessCommand> commands = Enumerable.Repeat(TestPrograms.Quick("sleep", "100"), 4);
        int count = isAsync ? CountAsync(commands) : Count(commands);
        count.Should().Be(4);
    });

    // A separate method, so that no register of the test keeps the enumerator alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginAndForget(bool isAsync, ProcessEngine engine)
    {
        BatchOptions options = new() { Engine = engine, MaxConcurrency = 2 };
        bool hasFirst = isAsync
            ? ProcessBatch.EnumerateAsync(Commands(), options).GetAsyncEnumerator().MoveNextAsync().AsTask().Result
            : ProcessBatch.Enumerate(Commands(), options).GetEnumerator().MoveNext();
        hasFirst.Should().BeTrue();
    }

    private IEnumerable<ProcessCommand> Commands()
    {
        try
        {
            yield return TestPrograms.Quick();
            while (true)
            {
                yield return TestPrograms.Quick("sleep", "1000000");
            }
        }
        finally
        {
            Interlocked.Increment(ref _endedInputs);
        }
    }

    // The enumerator alone keeps the batch alive.
    private static int Count(IEnumerable<ProcessCommand> commands)
    {
        int count = 0;
        foreach (BatchResult result in ProcessBatch.Enumerate(commands, new BatchOptions { MaxConcurrency = 1 }))
        {
            count += result.IsSuccess && Collected() ? 1 : 0;
        }

        return count;
    }

    private static int CountAsync(IEnumerable<ProcessCommand> commands)
    {
        IAsyncEnumerator<BatchResult> results =
            ProcessBatch.EnumerateAsync(commands, new BatchOptions { MaxConcurrency = 1 }).GetAsyncEnumerator();
        int count = 0;
        while (true)
        {
            Task<bool> step = results.MoveNextAsync().AsTask();
            Collected().Should().BeTrue();
            if (!step.Result)
            {
                return count;
            }

            count += results.Current.IsSuccess ? 1 : 0;
        }
    }

    private static bool Collected()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return true;
    }
}
