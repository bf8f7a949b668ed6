using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.TestHost.Faults;

/// <summary>Provides the runs of a <see cref="FaultSweep"/>. Each run checks its result.</summary>
internal static class SweptRuns
{
    private static readonly Numbers s_numbers = new(300);
    private static readonly ProcessCommand s_countBytes = new("wc", "-c");
    private static readonly ProcessCommand s_countLines = new("wc", "-l");
    private static readonly ProcessCommand s_sleeper = new("sleep", "1000");

    // More than a pipe holds.
    private static readonly byte[] s_input = Encoding.ASCII.GetBytes(new string('x', 150_000));

    public static IReadOnlyDictionary<string, Action<ProcessEngine>> All { get; } =
        new Dictionary<string, Action<ProcessEngine>>
        {
            ["capture"] = Capture,
            ["async"] = Async,
            ["spill"] = Spill,
            ["callbacks"] = Callbacks,
            ["input"] = Input,
            ["written-input"] = WrittenInput,
            ["live"] = Live,
            ["stop"] = Stop,
            ["held"] = Held,
            ["batch"] = Batch,
            ["stopped-batch"] = StoppedBatch,
            ["pipeline"] = Pipeline,
            ["async-pipeline"] = AsyncPipeline,
            ["executor"] = Executor,
            ["dispose"] = Dispose,
            ["dispose-batch"] = DisposeBatch,
            ["guardian"] = Guardian,
            ["guardian-of-one"] = GuardianOfOne,
            ["channels"] = Channels,
            ["settings"] = Settings,
        };

    private static void Capture(ProcessEngine engine)
    {
        ProcessResult result = Shell($"{s_numbers.Script}; echo error >&2; exit 3").Run(engine);
        ExpectExit(3, result);
        Expect.Equal(s_numbers.Text, result.StandardOutput.Text, "output");
        Expect.Equal("error\n", result.StandardError.Text, "error");
    }

    private static void GuardianOfOne(ProcessEngine engine)
    {
        using ProcessEngine own = new(new ProcessEngineOptions { ReactorCount = 1 });
        ExpectExit(3, (Shell("exit 3") with { KillOnParentExit = true }).Run(own));
    }

    private static void Settings(ProcessEngine engine)
    {
        ProcessCommand command = Shell("ulimit -c; umask; exit 3") with
        {
            ArgumentZero = "another",
            Nice = 19,
            FileModeMask = UnixFileMode.OtherWrite,
        };
        ProcessResult result = command.WithLimit(LimitedResource.CoreDumpSize, 0).Run(engine);
        ExpectExit(3, result);
        Expect.Equal("0\n0002\n", result.StandardOutput.Text, "output");
    }

    private static void Channels(ProcessEngine engine)
    {
        using Microsoft.Win32.SafeHandles.SafeFileHandle zero = File.OpenHandle("/dev/zero");
        ProcessResult result = Shell($"{s_numbers.Script} >&3; head -c 5 <&4; exit 3")
            .WithChannel(3, OutputTarget.Capture())
            .WithChannel(4, OutputTarget.ToHandle(zero))
            .Run(engine);
        ExpectExit(3, result);
        Expect.Equal(s_numbers.Text, result.Channels[3].Text, "channel");
        Expect.Equal("\0\0\0\0\0", result.StandardOutput.Text, "output");
    }

    private static void Guardian(ProcessEngine engine)
    {
        using ProcessEngine guarded = new(new ProcessEngineOptions { KillChildrenOnExit = true, ReactorCount = 1 });
        ExpectExit(3, Shell("exit 3").Run(guarded));
    }

    private static void Async(ProcessEngine engine)
    {
        ProcessCommand command = Shell($"{s_numbers.Script}; exit 4") with { Timeout = TimeSpan.FromMinutes(10) };
        using CancellationTokenSource source = new();
        Task<ProcessResult>[] runs = [.. Enumerable.Range(0, 2).Select(_ => command.RunAsync(engine, source.Token))];
        List<Exception> failures = [];
        foreach (Task<ProcessResult> run in runs)
        {
            try
            {
                ProcessResult result = run.GetAwaiter().GetResult();
                ExpectExit(4, result);
                Expect.Equal(s_numbers.Text, result.StandardOutput.Text, "output");
            }
            catch (Exception exception)
            {
                failures.Add(exception);
            }
        }

        Throw(failures);
    }

    private static void Spill(ProcessEngine engine)
    {
        ProcessCommand command = Shell($"{s_numbers.Script}; exit 5") with
        {
            StandardOutput = OutputTarget.Capture(100, CapturePolicy.SpillToFile),
        };
        ProcessResult result = command.Run(engine);
        ExpectExit(5, result);
        Expect.Equal(s_numbers.Text, result.StandardOutput.Text, "output");
        result.StandardOutput.Release();
    }

    private static void Callbacks(ProcessEngine engine)
    {
        StringBuilder lines = new();
        long bytes = 0;
        ProcessCommand command = Shell($"{s_numbers.Script}; {s_numbers.Script} >&2; exit 6") with
        {
            StandardOutput = OutputTarget.ToLines(line => lines.Append(line.Content).Append('\n')),
            StandardError =
                OutputTarget.Tee(OutputTarget.ToBytes(part => bytes += part.Length), OutputTarget.Capture()),
        };
        ProcessResult result = command.Run(engine);
        ExpectExit(6, result);
        Expect.Equal(s_numbers.Text, lines.ToString(), "lines");
        Expect.Equal(s_numbers.Text.Length, bytes, "bytes");
        Expect.Equal(s_numbers.Text, result.StandardError.Text, "error");
    }

    private static void Input(ProcessEngine engine)
    {
        using MemoryStream stream = new(s_input);
        ProcessCommand command = s_countBytes with { StandardInput = InputSource.FromStream(stream) };
        ProcessResult result = command.Run(engine);
        ExpectExit(0, result);
        Expect.Equal($"{s_input.Length}\n", result.StandardOutput.Text, "count");
    }

    private static void WrittenInput(ProcessEngine engine)
    {
        using ChildProcess child = (s_countBytes with { StandardInput = InputSource.Pipe }).Start(engine);
        child.StandardInput.Write(s_input);
        child.StandardInput.WriteAsync(s_input).AsTask().GetAwaiter().GetResult();
        child.StandardInput.Close();
        ProcessResult result = child.WaitAsync().GetAwaiter().GetResult();
        ExpectExit(0, result);
        Expect.Equal($"{2 * s_input.Length}\n", result.StandardOutput.Text, "count");
    }

    private static void Live(ProcessEngine engine)
    {
        ProcessCommand command = Shell($"{s_numbers.Script}; echo error >&2") with
        {
            StandardOutput = OutputTarget.Live(),
            StandardError = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start(engine);
        StringBuilder lines = new();
        foreach (OutputLine line in child.ReadLines())
        {
            lines.Append(line.IsError ? string.Empty : $"{line.Content}\n");
        }

        ExpectExit(0, child.Wait());
        Expect.Equal(s_numbers.Text, lines.ToString(), "lines");
    }

    private static void Stop(ProcessEngine engine)
    {
        using ChildProcess child = Shell("trap '' TERM; echo ready; while :; do sleep 1; done").Start(engine);
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(5));
        Expect.Equal(StopCause.Request, result.StoppedBy, "cause of the stop");
        Expect.True(!result.IsSuccess, "it did not succeed");
    }

    // The descendant has left the group and keeps the pipes.
    private static void Held(ProcessEngine engine)
    {
        ProcessCommand command = Shell("setsid sleep 1000 & echo $!") with
        {
            Descendants = DescendantPolicy.KillAlways,
            DrainGrace = TimeSpan.FromMilliseconds(20),
        };
        ProcessResult result = command.Run(engine);
        ExpectExit(0, result);
        int descendant = int.Parse(result.StandardOutput.Text);
        if (result.SurvivingDescendants.Count == 0)
        {
            ExpectGone(descendant);
        }
        else
        {
            _ = NativeMethods.Kill(descendant, 9);
        }
    }

    private static void Batch(ProcessEngine engine)
    {
        ProcessCommand command = Shell(s_numbers.Script);
        BatchResults batch = ProcessBatch.Enumerate(
            [.. Enumerable.Repeat(command, 5), Shell("exit 9")],
            new BatchOptions
            {
                MaxConcurrency = 2,
                Engine = engine,
                Retry = new BatchRetry { Count = 1, Delay = TimeSpan.FromMilliseconds(1) },
            });
        int results = 0;
        List<Exception> failures = [];
        foreach (BatchResult result in batch)
        {
            results++;
            if (result.Exception is Exception failure)
            {
                failures.Add(failure);
            }
            else if (result.Index == 5)
            {
                ExpectExit(9, result.Result!);
                Expect.Equal(1, result.EarlierAttempts.Count, "earlier attempts");
            }
            else
            {
                Expect.Equal(s_numbers.Text, result.EnsureSuccess().StandardOutput.Text, "output");
            }
        }

        Expect.Equal(6, results, "results");
        Throw(failures);
    }

    // The first failure stops the batch while other commands run that do not end by themselves, and some commands open
    // files.
    private static void StoppedBatch(ProcessEngine engine)
    {
        ProcessCommand hanging = s_sleeper with { StandardInput = InputSource.FromFile("/dev/null") };
        BatchResults batch = ProcessBatch.Enumerate(
            [Shell("sleep 0.02; exit 9"), .. Enumerable.Repeat(hanging, 7)],
            new BatchOptions { MaxConcurrency = 3, Engine = engine, OnFirstFailure = BatchFailureAction.StopRunning });
        List<Exception> failures = [];
        int stopped = 0;
        foreach (BatchResult result in batch)
        {
            if (result.Exception is Exception failure)
            {
                failures.Add(failure);
            }
            else if (result.Result!.ExitCode != 9)
            {
                Expect.Equal(StopCause.BatchFailure, result.Result.StoppedBy, "cause of the stop");
                stopped++;
            }
        }

        Expect.True(stopped < 3, "no more are stopped than have run");
        Throw(failures);
    }

    private static void Pipeline(ProcessEngine engine)
    {
        ProcessPipeline pipeline =
            Shell(s_numbers.Script).PipeTo(new ProcessCommand("cat")).PipeTo(s_countLines);
        PipelineResult result = pipeline.Run(engine);
        Expect.Equal($"{s_numbers.Count}\n", result.StandardOutput.Text, "count");
    }

    private static void AsyncPipeline(ProcessEngine engine)
    {
        ProcessPipeline pipeline =
            Shell(s_numbers.Script).PipeTo(s_countLines) with { Timeout = TimeSpan.FromMinutes(10) };
        PipelineResult result = pipeline.RunAsync(engine).GetAwaiter().GetResult();
        Expect.Equal($"{s_numbers.Count}\n", result.StandardOutput.Text, "count");
    }

    private static void Executor(ProcessEngine engine)
    {
        ProcessExecutor[] executors =
            [.. Enumerable.Range(0, 2).Select(n => new ProcessExecutor($"{n}", "/bin/sh", engine))];
        try
        {
            Array.ForEach(executors, executor => executor.Run("-c", s_numbers.Script));
            Expect.True(ProcessExecutor.WaitAll(executors, TimeSpan.FromMinutes(10)), "all end in time");
            foreach (ProcessExecutor executor in executors)
            {
                ExpectExit(0, executor.Result);
                Expect.Equal(s_numbers.Text, executor.Result.StandardOutput.Text, "output");
            }
        }
        finally
        {
            Array.ForEach(executors, executor => executor.Dispose());
        }
    }

    // The engine is disposed while children run.
    private static void Dispose(ProcessEngine engine)
    {
        ChildProcess captured = Shell("while :; do echo text; done").Start(engine);
        ChildProcess received =
            (s_sleeper with { StandardError = OutputTarget.ToLines(_ => { }) }).Start(engine);
        engine.Dispose();
        Expect.Equal(StopCause.EngineDispose, captured.Wait().StoppedBy, "cause of the first stop");
        Expect.Equal(StopCause.EngineDispose, received.Wait().StoppedBy, "cause of the second stop");
    }

    // The engine is disposed while a batch runs, whose input waits for its token.
    private static void DisposeBatch(ProcessEngine engine)
    {
        static async IAsyncEnumerable<ProcessCommand> Endless(
            [EnumeratorCancellation] CancellationToken token = default)
        {
            yield return s_sleeper;
            token.WaitHandle.WaitOne();
            token.ThrowIfCancellationRequested();
            await Task.CompletedTask;
        }

        AsyncBatchResults batch = ProcessBatch.EnumerateAsync(Endless(), new BatchOptions { Engine = engine });
        Exception? failure = null;
        Thread reader = new(() =>
        {
            try
            {
                _ = batch.ToBlockingEnumerable().Count();
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        });
        reader.Start();
        SpinWait.SpinUntil(() => batch.Progress is { Running: > 0 } or { Failed: > 0 } || !reader.IsAlive);
        engine.Dispose();
        reader.Join();
        if (failure is not ObjectDisposedException)
        {
            Expect.True(failure is not null, "the batch does not end by itself");
            Throw([failure!]);
        }
    }

    private static void ExpectExit(int code, ProcessResult result)
    {
        Expect.Equal(ProcessOutcome.Exited, result.Outcome, $"outcome of {result}");
        Expect.Equal(code, result.ExitCode, "exit code");
    }

    private static void Throw(List<Exception> failures)
    {
        if (failures.Count > 0)
        {
            throw failures.Find(failure =>
                failure is not (ProcessStartException or OutOfMemoryException or IOException)) is Exception other
                ? new InvalidOperationException(other.Message, other)
                : failures[0];
        }
    }

    private static void ExpectGone(int descendant)
    {
        if (!SpinWait.SpinUntil(
            () => NativeMethods.Kill(descendant, 0) != 0 || IsZombie(descendant), TimeSpan.FromSeconds(30)))
        {
            _ = NativeMethods.Kill(descendant, 9);
            throw new UnauthorizedAccessException("The descendant lives, and was not found.");
        }
    }

    private static bool IsZombie(int processId)
    {
        try
        {
            return File.ReadAllText($"/proc/{processId}/stat").Contains(") Z ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return true;
        }
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);
}
