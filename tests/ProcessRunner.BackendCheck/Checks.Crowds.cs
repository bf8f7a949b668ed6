using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.BackendCheck;

/// <summary>The checks of many children at once.</summary>
internal static partial class Checks
{
    private const int Alive = 500;

    // A start of a program takes up to a tenth of a second of a processor under Wine.
    private const int Crowd = 200;

    // A program that is smaller than this one: it ends with the given code.
    private static ProcessCommand Small(int code) => OperatingSystem.IsWindows()
        ? new ProcessCommand("cmd.exe", "/d", "/c", $"exit {code}")
        : new ProcessCommand("/bin/sh", "-c", $"exit {code}");

    // One that reads its input to the end.
    private static ProcessCommand SmallReader() => OperatingSystem.IsWindows()
        ? new ProcessCommand("cmd.exe", "/d", "/q", "/k") { StandardInput = InputSource.Pipe }
        : new ProcessCommand("/bin/cat") { StandardInput = InputSource.Pipe };

    private static void Batches() =>
        Equal(
            Enumerable.Range(0, 40).Sum(),
            ProcessBatch.Enumerate(Enumerable.Range(0, 40).Select(i => Self("return", $"{i}")))
                .Sum(result => result.Result!.ExitCode!.Value));

    private static void LargeBatches()
    {
        int[] codes = [.. ProcessBatch.Enumerate(Enumerable.Range(0, Crowd).Select(i => Small(i % 100)))
            .Select(result => result.Result!.ExitCode!.Value)
            .Order()];
        Equal(true, codes.SequenceEqual(Enumerable.Range(0, Crowd).Select(i => i % 100).Order()));
    }

    private static void ParallelLoops()
    {
        const int Children = 64;
        int whole = 0;
        ParallelOptions options = new() { MaxDegreeOfParallelism = Children };
        Parallel.For(0, Children, options, _ =>
        {
            ProcessResult result = Self("fill", "300000", "sleep", "100").Run();
            Interlocked.Add(ref whole, Pattern.Matches(result.StandardOutput, 300_000) ? 1 : 0);
        });
        Equal(Children, whole);
    }

    // This program has given the pool nothing to do before.
    private static void NoWorkItems()
    {
        ProcessCommand command = Self("return", "0");
        command.Run().EnsureSuccess();
        command.RunAsync().GetAwaiter().GetResult().EnsureSuccess();
        Equal(3, ProcessBatch.Enumerate(Enumerable.Repeat(command, 3)).Count(result => result.IsSuccess));
        Equal(0L, ThreadPool.CompletedWorkItemCount);
    }

    // Every worker of the pool sleeps until the children have ended.
    private static void ParkedPool()
    {
        ManualResetEventSlim isOver = new();
        ThreadPool.GetMaxThreads(out int workers, out int ports);
        ThreadPool.SetMaxThreads(Environment.ProcessorCount, ports);
        using CountdownEvent parked = new(Environment.ProcessorCount);
        for (int i = 0; i < Environment.ProcessorCount; i++)
        {
            ThreadPool.QueueUserWorkItem(_ =>
            {
                parked.Signal();
                isOver.Wait();
            });
        }

        parked.Wait();
        long bytes = 0;
        Thread[] callers = [.. Enumerable.Range(0, 8).Select(i => new Thread(() =>
        {
            ProcessCommand command = Self("fill", "300000");
            long sum = command.Run().StandardOutput.TotalBytes
                + command.RunAsync().GetAwaiter().GetResult().StandardOutput.TotalBytes;
            Interlocked.Add(ref bytes, sum);
        }))];
        Array.ForEach(callers, caller => caller.Start());
        Array.ForEach(callers, caller => caller.Join());
        isOver.Set();
        ThreadPool.SetMaxThreads(workers, ports);
        Equal(8 * 2 * 300_000, bytes);
    }

    private static void ManyAlive()
    {
        using ProcessEngine engine = new();
        int count = s_isNative ? Alive : Alive / 10;
        List<ChildProcess> children = [];
        for (int i = 0; i < count; i++)
        {
            children.Add(SmallReader().Start(engine));
        }

        Equal(count, engine.LiveChildren);
        if (s_isNative)
        {
            Equal(true, engine.ThreadCount <= 8);
        }

        children.ForEach(child => child.StandardInput!.Close());
        Equal(count, children.Count(child => child.Wait().Outcome == ProcessOutcome.Exited));
        Equal(0, engine.LiveChildren);
        children.ForEach(child => child.Dispose());
    }

    // GNU make has a semaphore on Windows. Its pipe on Unix has tests of its own.
    private static void JobTokens()
    {
        if (!OperatingSystem.IsWindows() || !s_isNative)
        {
            return;
        }

        const int Tokens = 2;
        string name = $"processrunner-{Guid.NewGuid():N}";
        using Semaphore semaphore = new(Tokens, Tokens, name);
        Environment.SetEnvironmentVariable("MAKEFLAGS", $" -j{Tokens + 1} --jobserver-auth={name}");
        BatchResults results = ProcessBatch.Enumerate(
            Enumerable.Range(0, 20).Select(_ => Small(0)), new BatchOptions { UseJobserver = true });
        Equal(20, results.Count(result => result.IsSuccess));
        Environment.SetEnvironmentVariable("MAKEFLAGS", null);
        Equal((true, true, false), (semaphore.WaitOne(0), semaphore.WaitOne(0), semaphore.WaitOne(0)));
    }

    private static void Disposal()
    {
        ProcessEngine engine = new();
        ChildProcess child = Self("sleep", "1000000").Start(engine);
        engine.Dispose();
        Equal(ProcessOutcome.Canceled, child.Wait().Outcome);
        child.Dispose();
    }

    // Each start either fails, because the engine has ended, or gives a child that the end of the engine ends.
    private static void DisposalDuringStarts()
    {
        for (int round = 0; round < 5; round++)
        {
            ProcessEngine engine = new();
            using CountdownEvent begun = new(4);
            int strange = 0;
            Thread[] starters = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
            {
                begun.Signal();
                for (bool isOpen = true; isOpen;)
                {
                    isOpen = TryRun(engine, ref strange);
                }
            }))];
            Array.ForEach(starters, starter => starter.Start());
            begun.Wait();
            Small(0).Run(engine);
            engine.Dispose();
            Array.ForEach(starters, starter => starter.Join());
            Equal((0, 0), (strange, engine.LiveChildren));
        }
    }

    private static bool TryRun(ProcessEngine engine, ref int strange)
    {
        try
        {
            ProcessOutcome outcome = SmallReader().Start(engine).Wait().Outcome;
            Interlocked.Add(ref strange, outcome == ProcessOutcome.Canceled ? 0 : 1);
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    // The handles of the runtime come and go a little; those of a hundred runs would not be a few.
    private static void Handles()
    {
        const int Runs = 100;
        RunMany(Runs / 10);
        int before = OpenHandles.Count();
        RunMany(Runs);
        int after = OpenHandles.Count();
        if (after > before + (Runs / 5))
        {
            throw new InvalidOperationException($"{before} handles before {Runs} runs, {after} after them");
        }
    }

    private static void RunMany(int runs)
    {
        for (int i = 0; i < runs; i++)
        {
            (Small(0) with { StandardInput = InputSource.FromText("x") }).Run();
            using ChildProcess child = SmallReader().Start();
            child.Kill();
            child.Wait();
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
