using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that nothing is lost when user code interrupts the thread that calls it, or lets another thread interrupt
/// it at any moment, except what the interrupt meets in user code.
/// </summary>
internal sealed class InterruptedReceivers : IScenario
{
    private const int Lines = 2000;

    public string Name => "interrupted-receivers";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new();
        for (int i = 0; i < 50; i++)
        {
            InterruptItself(engine);
        }

        InterruptAtAnyTime(engine);
        for (int i = 0; i < 50; i++)
        {
            InterruptBatch(engine);
        }
    }

    // The interrupt is pending when the callback returns. No wait of the library takes it; the next callback does, in
    // user code.
    private static void InterruptItself(ProcessEngine engine)
    {
        int lines = 0;
        int waits = 0;
        ProcessCommand command = Shell($"seq 1 {Lines}; seq 1 {Lines} >&2") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                lines++;
                Thread.CurrentThread.Interrupt();
            }),
        };
        Expect.Equal(0, command.Run(engine).ExitCode, "exit code");
        Expect.Equal(Lines, lines, "lines that were received");
        ProcessCommand other = Shell("echo text") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                Thread.Sleep(1);
                waits++;
            }),
        };
        Expect.Equal(0, other.Run(engine).ExitCode, "exit code");
        Expect.Equal(1, waits, "waits of the next receiver, which no interrupt was meant for");
    }

    // The input and the progress are user code as well, and their thread is interrupted when they return.
    private static void InterruptBatch(ProcessEngine engine)
    {
        const int Count = 20;
        int reports = 0;
        BatchOptions options = new()
        {
            MaxConcurrency = 4,
            Engine = engine,
            ProgressInterval = TimeSpan.FromMilliseconds(1),
            Progress = new InterruptingProgress(() => reports++),
        };
        int ended = ProcessBatch.Enumerate(Commands(), options).Count(result => result.IsSuccess);
        Expect.Equal(Count, ended, "commands that have succeeded");
        Expect.True(reports > 0, "there was a report");

        static IEnumerable<BatchItem> Commands()
        {
            for (int i = 0; i < Count; i++)
            {
                Thread.CurrentThread.Interrupt();
                yield return new BatchItem(Shell("exit 0"));
            }
        }
    }

    private static void InterruptAtAnyTime(ProcessEngine engine)
    {
        Thread? handed = null;
        bool isOver = false;
        Thread interrupter = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                Volatile.Read(ref handed)?.Interrupt();
                Thread.Sleep(1);
            }
        });
        interrupter.Start();
        for (int i = 0; i < 100; i++)
        {
            long bytes = 0;
            using MemoryStream input = new(new byte[100_000]);
            ProcessCommand command = Shell("cat; seq 1 20000 >&2") with
            {
                StandardInput = InputSource.FromStream(input),
                StandardOutput = OutputTarget.ToBytes(part =>
                {
                    bytes += part.Length;
                    Volatile.Write(ref handed, Thread.CurrentThread);
                }),
                StandardError = OutputTarget.ToLines(_ => { }),
            };
            using ChildProcess child = command.Start(engine);
            try
            {
                ProcessResult result = child.Wait();
                Expect.Equal(0, result.ExitCode, "exit code");
                Expect.Equal(100_000L, bytes, "bytes that were received");
            }
            catch (ThreadInterruptedException exception)
            {
                // The interrupt met the stream that is read, a callback, or a wait in user code: only this run reports
                // it.
                Expect.Equal(
                    child.ProcessId, ProcessResult.Of(exception)?.ProcessId, "the run that reports the interrupt");
            }
        }

        Volatile.Write(ref isOver, true);
        interrupter.Join();
        Expect.Equal(0, Shell("exit 0").Run(engine).ExitCode, "exit code");
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);

    private sealed class InterruptingProgress(Action reported) : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value)
        {
            reported();
            Thread.CurrentThread.Interrupt();
        }
    }
}
