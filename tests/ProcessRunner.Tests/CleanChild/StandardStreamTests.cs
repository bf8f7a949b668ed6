using System;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Verifies a child's descriptors 0, 1 and 2 for every mixture of sources and targets. The child itself opens files.
/// </summary>
[OnlyOn(Systems.Linux, "descriptors and /proc")]
[Collection(Alone.Name)]
[NativeBackend(".NET binds pipes alone, and this process opens the files")]
public sealed class StandardStreamTests
{
    private const string Pipe = "pipe:";
    private const string Tell =
        "(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2; ls /proc/$$/fd) >\"$1\"; exit 0";

    [Fact]
    public void Streams_OfEveryMixture_AreWhatTheCommandSays() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string report = directory.At("report");
        (InputSource Source, string Target)[] inputs =
        [
            (InputSource.Null, "/dev/null"),
            (InputSource.FromText("text"), Pipe),
            (InputSource.FromFile(directory.File("in")), directory.At("in")),
            (InputSource.Inherit, Own(0)),
        ];
        (OutputTarget Target, string Name)[] outputs = Outputs("out", 1);
        (OutputTarget Target, string? Name)[] errors = [.. Outputs("err", 2), (OutputTarget.MergeIntoOutput, null)];
        foreach ((InputSource source, string input) in inputs)
        {
            foreach ((OutputTarget target, string output) in outputs)
            {
                foreach ((OutputTarget errorTarget, string? error) in errors)
                {
                    ProcessCommand command = TestPrograms.Shell(Tell, report) with
                    {
                        StandardInput = source,
                        StandardOutput = target,
                        StandardError = errorTarget,
                    };
                    command.Run().ExitCode.Should().Be(0);
                    string[] lines = File.ReadAllLines(report);
                    string mixture = $"{input} {output} {error ?? "merged"}";
                    lines[0].Should().StartWith(input, mixture);
                    lines[1].Should().StartWith(output, mixture);
                    lines[2].Should().StartWith(error ?? lines[1], mixture);
                    lines[3..].Should().Equal(["0", "1", "2"], mixture);
                }
            }
        }

        (OutputTarget Target, string Name)[] Outputs(string file, int number) =>
        [
            (OutputTarget.Null, "/dev/null"),
            (OutputTarget.Capture(), Pipe),
            (OutputTarget.ToFile(directory.At(file)), directory.At(file)),
            (OutputTarget.ToFile(directory.At(file), append: true), directory.At(file)),
            (OutputTarget.Inherit, Own(number)),
        ];

        static string Own(int number) => new FileInfo($"/proc/self/fd/{number}").LinkTarget ?? "/dev/null";
    });

    // The start hangs until the FIFO has a reader, and it is the child that hangs.
    [NativeBackend("this process opens the files of a child, and nothing ends its wait for the peer of a FIFO")]
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Start_WhoseFileHasNoPeer_HangsInItsChild_AndEndsWithIt(int stream) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        ProcessCommand command = new("true");
        command = stream switch
        {
            0 => command with { StandardInput = InputSource.FromFile(fifo) },
            1 => command with { StandardOutput = OutputTarget.ToFile(fifo) },
            _ => command with { StandardError = OutputTarget.ToFile(fifo) },
        };
        ProcessResult? result = null;
        Thread starter = new(() => result = command.Run());
        starter.Start();
        int child = 0;
        Eventually.Is(
            () => ProcFs.Children is [ProcessEntry one] && IsOpening(child = one.Id),
            "the child opens the file");
        string[] open =
            [.. Directory.EnumerateFileSystemEntries($"/proc/{child}/fd").Select(path => Path.GetFileName(path))];
        open.Should().BeSubsetOf(["0", "1", "2"], "it keeps nothing of others alive");
        NativeMethods.Kill(child, 9).Should().Be(0);
        starter.Join();
        result!.SignalNumber.Should().Be(9);
    });

    [Fact]
    public void Start_WhoseFileHasNoPeer_IsEndedByALimitACancelAndADispose() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new("true") { StandardInput = InputSource.FromFile(directory.Fifo("fifo")) };
        (command with { Timeout = TimeSpan.FromMilliseconds(200) }).Run().Outcome.Should().Be(ProcessOutcome.TimedOut);

        using ProcessExecutor executor = new("opens a FIFO", command);
        Thread starter = new(() => executor.Run());
        starter.Start();
        Eventually.Is(() => ProcFs.Children is [{ State: 'S' }], "the child opens the file");
        executor.RequestStop();
        starter.Join();
        executor.Wait();

        ProcessEngine engine = new();
        starter = new Thread(() => command.Run(engine));
        starter.Start();
        Eventually.Is(() => ProcFs.Children is [{ State: 'S' }], "the child opens the file");
        engine.Dispose();
        starter.Join();
        ProcFs.Children.Should().BeEmpty();
    });

    [Fact]
    public void FifoWithAPeer_ConnectsTheChildWithIt() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        ProcessResult? read = null;
        Thread reader =
            new(() => read = (new ProcessCommand("cat") with { StandardInput = InputSource.FromFile(fifo) }).Run());
        reader.Start();
        (new ProcessCommand("echo", "through") with { StandardOutput = OutputTarget.ToFile(fifo) })
            .Run().EnsureSuccess();
        reader.Join();
        read!.StandardOutput.Text.Should().Be("through\n");
    });

    [Fact]
    public void FilesOfThisProcess_ByItsOwnNames_AreStillThoseOfThisProcess() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.File("file", "one\n");
        using FileStream file = new(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite);
        string number = $"{file.SafeFileHandle.DangerousGetHandle()}";
        foreach (string name in (string[])[$"/dev/fd/{number}", $"/proc/self/fd/{number}"])
        {
            (new ProcessCommand("echo", "two") with { StandardOutput = OutputTarget.ToFile(name, append: true) })
                .Run().EnsureSuccess();
            (new ProcessCommand("cat") with { StandardInput = InputSource.FromFile(name) }).Run()
                .StandardOutput.Text.Should().StartWith("one\ntwo\n");
        }

        (new ProcessCommand("cat") with { StandardInput = InputSource.FromFile("/proc/self/status") }).Run()
            .StandardOutput.Lines().Should().Contain($"Pid:\t{Environment.ProcessId}");
    });

    [Fact]
    public void File_ByARelativePath_IsInTheDirectoryOfThisProcess() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = Path.GetRelativePath(Environment.CurrentDirectory, directory.At("file"));
        ProcessCommand command = new("echo", "text")
        {
            StandardOutput = OutputTarget.ToFile(path),
            WorkingDirectory = "/",
        };
        command.Run().EnsureSuccess();
        File.ReadAllText(directory.At("file")).Should().Be("text\n");
    });

    [Fact]
    public void File_ThatCannotBeOpened_IsNamedWithItsStream() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string good = directory.File("good");
        string bad = directory.At("missing/file");
        ProcessCommand all = new("true")
        {
            StandardInput = InputSource.FromFile(good),
            StandardOutput = OutputTarget.ToFile(good),
            StandardError = OutputTarget.ToFile(good),
        };
        (ProcessCommand Command, string Stream)[] commands =
        [
            (all with { StandardInput = InputSource.FromFile(bad) }, "input"),
            (all with { StandardOutput = OutputTarget.ToFile(bad) }, "output"),
            (all with { StandardError = OutputTarget.ToFile(bad) }, "error"),
        ];
        foreach ((ProcessCommand command, string stream) in commands)
        {
            Action start = () => command.Start();
            ProcessStartException exception = start.Should().Throw<ProcessStartException>().Which;
            exception.Step.Should().Be(ProcessStartStep.BadStreamFile);
            exception.NativeErrorCode.Should().Be(Errno.NoSuchFile);
            exception.Message.Should().Contain($"'{bad}' for its standard {stream} cannot");
        }
    });

    // The child sleeps in the open of a FIFO, and is not a zombie.
    private static bool IsOpening(int processId) => ProcFs.All().Single(entry => entry.Id == processId).State == 'S';
}
