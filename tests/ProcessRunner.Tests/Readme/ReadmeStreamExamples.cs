using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Pipelines;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Contains the examples of README.md about streams: every region here is a block there, word for word.
/// </summary>
[OnlyOn(Systems.Unix, "the examples run programs of Unix")]
public sealed class ReadmeStreamExamples
{
    [OnlyOn(Systems.Linux, "descriptors by number")]
    [NativeBackend("the portable backend has no channels")]
    [Fact]
    public void Channels_AreStreamsOfTheirOwn() => Guard.Run(() =>
    {
        List<string> logged = [];
        void Log(string text) => logged.Add(text);

        #region channels
        ProcessCommand host = new ProcessCommand("sh", "-c", "echo printed; echo passed >&3")
            .WithChannel(3, OutputTarget.ToLines(line => Log($"event: {line.Content}")))
            .WithChannel(4, OutputTarget.Capture());

        ProcessResult result = host.Run();
        Console.WriteLine(result.Channels[4].TotalBytes);
        #endregion

        logged.Should().Equal("event: passed");
        result.StandardOutput.Text.Should().Be("printed\n");
    });

    [NativeBackend(".NET gives each stream a pipe of its own")]
    [Fact]
    public void Outputs_GoWhereTheyAreSent() => Guard.Run(() =>
    {
        string directory = Directory.CreateTempSubdirectory().FullName;
        string path = Path.Combine(directory, "log");
        using MemoryStream stream = new();
        StringBuilder builder = new();
        Pipe pipe = new();
        using SafeFileHandle handle = File.OpenHandle("/dev/null", access: FileAccess.Write);
        int lines = 0;
        long bytes = 0;
        void Log(string text) => lines += text.Length > 0 ? 1 : 0;

        #region outputs
        ProcessCommand build = new("sh", "-c", "echo compiling; echo a warning >&2; echo done");

        OutputTarget[] targets =
        [
            OutputTarget.Capture(),                                     // the default: all of it, in the result
            OutputTarget.Capture(limit: 65_536),                        // the head and the tail of it
            OutputTarget.Capture(65_536, CapturePolicy.KeepHead),       // the head of it
            OutputTarget.Capture(65_536, CapturePolicy.Fail),           // more stops the child: OutputLimitExceeded
            OutputTarget.Capture(65_536, CapturePolicy.SpillToFile),    // more goes to a file, deleted with the result
            OutputTarget.Null,                                          // nowhere
            OutputTarget.Inherit,                                       // where this program's own output goes
            OutputTarget.ToFile(path, append: true),                    // the child itself writes the file
            OutputTarget.ToHandle(handle),                              // a descriptor or handle of this program
            OutputTarget.ToStream(stream),                              // any Stream
            OutputTarget.ToText(builder),                               // any StringBuilder or TextWriter
            OutputTarget.ToPipe(pipe.Writer),                           // System.IO.Pipelines, with backpressure
            OutputTarget.ToLines(line => Log($"{line.Timestamp:O} {line.Content}")),
            OutputTarget.ToBytes(chunk => bytes += chunk.Length),       // spans, no allocation
            OutputTarget.Tee(OutputTarget.Capture(), OutputTarget.ToStream(stream)),
        ];
        foreach (OutputTarget target in targets)
        {
            (build with { StandardOutput = target }).Run().EnsureSuccess();
        }

        ProcessCommand merged = build with { StandardError = OutputTarget.MergeIntoOutput };    // one pipe, true order
        Console.WriteLine(merged.Run().StandardOutput.Text);
        #endregion

        File.ReadAllText(path).Should().Be("compiling\ndone\n");
        stream.Length.Should().Be(2 * "compiling\ndone\n".Length);
        lines.Should().Be(2);
        builder.ToString().Should().Be("compiling\ndone\n");
        pipe.Reader.TryRead(out ReadResult read).Should().BeTrue();
        read.Buffer.Length.Should().Be(builder.Length);
        bytes.Should().Be("compiling\ndone\n".Length);
        merged.Run().StandardOutput.Text.Should().Be("compiling\na warning\ndone\n");
        Directory.Delete(directory, recursive: true);
    });

    [Fact]
    public async Task LiveLines_AreReadAsTheyCome()
    {
        using CancellationTokenSource source = new(TimeSpan.FromMinutes(1));
        CancellationToken cancellationToken = source.Token;
        string last = "";

        #region live
        ProcessCommand count = new("sh", "-c", "seq 1 100000; echo over >&2")
        {
            StandardOutput = OutputTarget.Live(),
            StandardError = OutputTarget.Live(),
        };
        using ChildProcess child = count.Start();
        await foreach (OutputLine line in child.ReadLinesAsync(cancellationToken: cancellationToken))
        {
            last = line.IsError ? $"error: {line.Content}" : line.Content;      // a slow reader slows this child alone
        }

        ProcessResult result = child.Wait();
        #endregion

        result.IsSuccess.Should().BeTrue();
        last.Should().BeOneOf("100000", "error: over");
    }

    [Fact]
    public void Server_TellsWhenItIsReady() => Guard.Run(() =>
    {
        #region wait-for-line
        ProcessCommand command = new("sh", "-c", "echo starting; echo ready on port 8080; exec sleep 1000")
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture(limit: 65_536)),
        };
        using ChildProcess server = command.Start();
        OutputLine ready = server.WaitForLine(line => line.Content.StartsWith("ready"), TimeSpan.FromSeconds(10));
        server.IgnoreLines();       // nobody reads on: the server must not wait for a reader
        #endregion

        ready.Content.Should().Be("ready on port 8080");
        server.Stop().StandardOutput.Lines().Should().HaveCount(2);
    });

    [Fact]
    [NativeBackend("the portable backend passes on no handles")]
    public void Inputs_ComeFromWhereTheyAreTaken() => Guard.Run(() =>
    {
        string path = Path.GetTempFileName();
        using MemoryStream stream = new([1, 2, 3]);
        using SafeFileHandle handle = File.OpenHandle(path);

        System.Xml.Linq.XDocument document = new(new System.Xml.Linq.XElement("root"));

        #region inputs
        ProcessCommand cat = new("cat");

        InputSource[] sources =
        [
            InputSource.Null,                                   // the default: the end at once
            InputSource.Inherit,                                // this program's own input
            InputSource.FromText("in the command's encoding"),
            InputSource.FromBytes(new byte[] { 1, 2, 3 }),
            InputSource.FromFile(path),                         // the child itself reads the file
            InputSource.FromHandle(handle),                     // a descriptor or handle of this program
            InputSource.FromStream(stream),                     // any Stream
            InputSource.FromLines(["one", "two"]),              // lines, also asynchronous ones
            InputSource.FromWriter((input, token) => document.SaveAsync(input, default, token)),    // code that writes
        ];
        foreach (InputSource source in sources)
        {
            (cat with { StandardInput = source, Timeout = TimeSpan.FromSeconds(10) }).Run();
        }

        using ChildProcess child = (cat with { StandardInput = InputSource.Pipe }).Start();     // by hand
        child.StandardInput.Write("yes\n"u8);
        child.StandardInput.Close();
        Console.WriteLine(child.Wait().StandardOutput.Text);
        #endregion

        child.Wait().StandardOutput.Text.Should().Be("yes\n");
        stream.Position.Should().Be(3);
        File.Delete(path);
    });

    [Fact]
    public void Pipeline_RunsLikeAShells() => Guard.Run(() =>
    {
        #region pipeline
        ProcessPipeline pipeline =
            new ProcessCommand("seq", "1", "100000") | new ProcessCommand("grep", "7") | new ProcessCommand("wc", "-l");
        PipelineResult result = pipeline.Run().EnsureSuccess();
        Console.WriteLine(result.StandardOutput.Text);
        #endregion

        result.StandardOutput.Text.Trim().Should().Be("40951");
        result.Stages.Should().HaveCount(3);
    });

    [Fact]
    public async Task Prompt_IsAnswered()
    {
        using CancellationTokenSource source = new(TimeSpan.FromMinutes(1));
        CancellationToken cancellationToken = source.Token;
        List<string> log = [];
        void Log(string text) => log.Add(text);

        #region events
        LineOptions prompts = new() { PromptDelay = TimeSpan.FromMilliseconds(100) };
        ProcessCommand login = new("sh", "-c", "printf 'Password: '; read password; echo welcome")
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(prompts),
        };
        using ChildProcess dialogue = login.Start();
        await foreach (ChildEvent happened in dialogue.ReadEventsAsync(cancellationToken))
        {
            switch (happened)
            {
                case ChildWrote { Line: { IsPartial: true, Content: "Password: " } }:
                    dialogue.StandardInput.Write("secret\n"u8);
                    break;

                case ChildWrote { Line: OutputLine line }:
                    Log(line.Content);
                    break;

                case ChildExited exited:
                    Log($"exit code {exited.Result.ExitCode}");
                    break;
            }
        }
        #endregion

        log.Should().Equal("welcome", "exit code 0");
    }

    [Fact]
    public void Code_BetweenTwoCommands_Transforms() => Guard.Run(() =>
    {
        #region pipe-through
        ProcessPipeline shouting = new ProcessCommand("printf", "one\\ntwo\\n").PipeThrough(
            async (input, output, token) =>
            {
                using StreamReader reader = new(input);
                await using StreamWriter writer = new(output);
                while (await reader.ReadLineAsync(token) is string line)
                {
                    await writer.WriteLineAsync(line.ToUpperInvariant().AsMemory(), token);
                }
            },
            new ProcessCommand("sort", "-r"));
        Console.WriteLine(shouting.Run().StandardOutput.Text);      // TWO, ONE
        #endregion

        shouting.Run().StandardOutput.Text.Should().Be("TWO\nONE\n");
    });
}
