using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Provides the runs of a <see cref="FaultSweep"/> that call user code of every kind. The user code itself is out of
/// memory, once for each of its calls, and so are the allocations of the library around it.
/// </summary>
internal static class SweptUserCode
{
    private static readonly Numbers s_numbers = new(30);

    public static IReadOnlyDictionary<string, Action<ProcessEngine>> All { get; } =
        new Dictionary<string, Action<ProcessEngine>>
        {
            ["user-callbacks"] = Callbacks,
            ["user-input"] = Input,
            ["user-stop"] = Stop,
            ["user-batch"] = Batch,
            ["user-pipeline"] = Pipeline,
            ["user-lines"] = LiveLines,
        };

    // Stands for an allocation in the user's own code.
    private static void Use() => FaultPoint.Allocate("user code");

    private static void Callbacks(ProcessEngine engine)
    {
        StringBuilder lines = new();
        long bytes = 0;
        using UserStream stream = new();
        using StringWriter text = new();
        ProcessCommand command = Shell($"{s_numbers.Script}; {s_numbers.Script} >&2; exit 6") with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.ToLines(line =>
                {
                    Use();
                    lines.Append(line.Content).Append('\n');
                }),
                OutputTarget.ToStream(stream),
                OutputTarget.ToText(text)),
            StandardError = OutputTarget.Tee(
                OutputTarget.ToBytes(async (part, _) =>
                {
                    Use();
                    await Task.Yield();
                    Use();
                    bytes += part.Length;
                }),
                OutputTarget.Capture()),
            AcceptsExitCode = code =>
            {
                Use();
                return code == 6;
            },
        };
        ProcessResult result = command.Run(engine).EnsureSuccess();
        ExpectExit(6, result);
        Expect.Equal(s_numbers.Text, lines.ToString(), "lines");
        Expect.Equal(s_numbers.Text, Encoding.ASCII.GetString(stream.ToArray()), "stream");
        Expect.Equal(s_numbers.Text, text.ToString(), "text");
        Expect.Equal(s_numbers.Text.Length, bytes, "bytes");
        Expect.Equal(s_numbers.Text, result.StandardError.Text, "error");
    }

    private static void Input(ProcessEngine engine)
    {
        using UserStream stream = new(Encoding.ASCII.GetBytes(s_numbers.Text));
        Check(InputSource.FromStream(stream));
        Check(InputSource.FromLines(Numbers()));
        Check(InputSource.FromWriter(async (input, token) =>
        {
            Use();
            await input.WriteAsync(Encoding.ASCII.GetBytes(s_numbers.Text), token);
            Use();
        }));

        void Check(InputSource source)
        {
            ProcessResult result = (new ProcessCommand("cat") with { StandardInput = source }).Run(engine);
            ExpectExit(0, result);
            Expect.Equal(s_numbers.Text, result.StandardOutput.Text, "what the child has read");
        }
    }

    private static void Stop(ProcessEngine engine)
    {
        ProcessCommand command = new ProcessCommand("sleep", "1000") with
        {
            BeforeStop = _ => Use(),
            Timeout = TimeSpan.FromMilliseconds(20),
        };
        Expect.Equal(StopCause.Timeout, command.Run(engine).StoppedBy, "cause of the stop");
    }

    private static void Batch(ProcessEngine engine)
    {
        BatchOptions options = new()
        {
            MaxConcurrency = 2,
            Engine = engine,
            Progress = new UserProgress(),
            Retry = new BatchRetry
            {
                Count = 1,
                Delay = TimeSpan.FromMilliseconds(1),
                When = _ =>
                {
                    Use();
                    return true;
                },
            },
        };
        int results = 0;
        List<Exception> failures = [];
        foreach (BatchResult result in ProcessBatch.Enumerate(Commands(), options))
        {
            results++;
            if (result.Exception is Exception failure)
            {
                failures.Add(failure);
            }
            else
            {
                Expect.Equal(result.Index == 2 ? 9 : 0, result.Result!.ExitCode, "exit code");
            }
        }

        if (failures.Count > 0)
        {
            throw failures[0];
        }

        Expect.Equal(4, results, "results");
    }

    private static void Pipeline(ProcessEngine engine)
    {
        ProcessPipeline pipeline = Shell(s_numbers.Script).PipeThrough(
            async (input, output, token) =>
            {
                Use();
                await input.CopyToAsync(output, token);
                Use();
            },
            new ProcessCommand("wc", "-l"));
        Expect.Equal($"{s_numbers.Count}\n", pipeline.Run(engine).StandardOutput.Text, "count");
        Expect.Equal(
            $"{s_numbers.Count}\n",
            pipeline.RunAsync(engine).GetAwaiter().GetResult().StandardOutput.Text,
            "count again");
    }

    private static void LiveLines(ProcessEngine engine)
    {
        ProcessCommand command = Shell($"{s_numbers.Script}; read stop") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start(engine);
        OutputLine first = child.WaitForLine(IsLast, TimeSpan.FromMinutes(1));
        Expect.Equal($"{s_numbers.Count}", first.Content, "line");
        child.StandardInput.Write("stop\n"u8);
        child.Wait();
        using ChildProcess second = command.Start(engine);
        OutputLine line = second.WaitForLineAsync(IsLast, TimeSpan.FromMinutes(1)).GetAwaiter().GetResult();
        Expect.Equal($"{s_numbers.Count}", line.Content, "line of the second child");

        static bool IsLast(OutputLine line)
        {
            Use();
            return line.Content == $"{s_numbers.Count}";
        }
    }

    private static IEnumerable<string> Numbers()
    {
        for (int number = 1; number <= s_numbers.Count; number++)
        {
            Use();
            yield return $"{number}";
        }
    }

    private static IEnumerable<ProcessCommand> Commands()
    {
        try
        {
            for (int i = 0; i < 4; i++)
            {
                Use();
                yield return Shell(i == 2 ? "exit 9" : "exit 0");
            }
        }
        finally
        {
            Use();
        }
    }

    private static void ExpectExit(int code, ProcessResult result)
    {
        Expect.Equal(ProcessOutcome.Exited, result.Outcome, $"outcome of {result}");
        Expect.Equal(code, result.ExitCode, "exit code");
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);

    private sealed class UserProgress : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value) => Use();
    }

    private sealed class UserStream(byte[]? content = null) : MemoryStream
    {
        private readonly MemoryStream _content = new(content ?? []);

        public override int Read(Span<byte> buffer)
        {
            Use();
            return _content.Read(buffer);
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            Use();
            base.Write(buffer.ToArray(), 0, buffer.Length);
        }

        public override void Flush() => Use();

        protected override void Dispose(bool disposing)
        {
            _content.Dispose();
            base.Dispose(disposing);
        }
    }
}
