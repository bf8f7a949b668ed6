using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Races;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Where a process has thousands of descriptors its children are started on a thread with a table of its own, and must be
/// what they are elsewhere.
/// </summary>
[Collection(Alone.Name)]
public sealed class CrowdOfDescriptorsTests : IDisposable
{
    private readonly ProcessEngine _engine = new();
    private readonly List<int> _crowd = [.. Enumerable.Range(0, 2100).Select(_ => NativeMethods.Open("/dev/null", 0))];

    public CrowdOfDescriptorsTests()
    {
        new ProcessCommand("true").Run(_engine);
        int threads = _engine.ThreadCount;
        new ProcessCommand("true").Run(_engine);
        _engine.ThreadCount.Should().Be(threads + 1, "the second start knows of the crowd");
    }

    public void Dispose()
    {
        _engine.Dispose();
        _crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
    }

    [Fact]
    public void Child_HasDescriptors012AndNoOther() => Guard.Run(() =>
    {
        // ls itself opens the directory, with the lowest number that is free.
        Run("ls", "/proc/self/fd").StandardOutput.Lines().Should().Equal("0", "1", "2", "3");
        Run("readlink", "/proc/self/fd/0").StandardOutput.Text.Should().Be("/dev/null\n");
    });

    [Fact]
    public void Child_HasNoSignalBlockedOrIgnored() => Guard.Run(() =>
        Run("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status").StandardOutput.Lines()
            .Should().HaveCount(2).And.OnlyContain(line => line.EndsWith("0000000000000000", StringComparison.Ordinal)));

    [Fact]
    public void Child_IsOurChildInAGroupOfItsOwn() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("echo $PPID; exec cut -d' ' -f1,5 /proc/self/stat").Run(_engine);
        string[] lines = [.. result.StandardOutput.Lines()];
        lines[0].Should().Be($"{Environment.ProcessId}");
        string[] ids = lines[1].Split(' ');
        ids[1].Should().Be(ids[0]);
    });

    [Fact]
    public void Child_HasItsDirectoryEnvironmentAndInput() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Shell("pwd; echo $CROWD; cat; echo err >&2") with
        {
            WorkingDirectory = directory,
            StandardInput = InputSource.FromText("input"),
            Environment = new Dictionary<string, string?> { ["CROWD"] = "big" },
        };
        ProcessResult result = command.Run(_engine);
        result.StandardOutput.Text.Should().Be($"{(string)directory}\nbig\ninput");
        result.StandardError.Text.Should().Be("err\n");
    });

    [Fact]
    public void Child_WritesToTheFileThatItWasGiven() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.File("both");
        ProcessCommand command = TestPrograms.Shell("echo out; echo err >&2") with
        {
            StandardOutput = OutputTarget.ToFile(path),
            StandardError = OutputTarget.MergeIntoOutput,
        };
        command.Run(_engine).EnsureSuccess();
        File.ReadAllText(path).Should().Be("out\nerr\n");
    });

    [Fact]
    public void Pipeline_IsConnected() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Shell("echo one; echo two").PipeTo(new ProcessCommand("wc", "-l"));
        pipeline.Run(_engine).EnsureSuccess().StandardOutput.Text.Trim().Should().Be("2");
    });

    [Theory]
    [InlineData("/does/not/exist")]
    [InlineData("/etc/passwd")]
    [InlineData("/")]
    public void Start_ThatFails_FailsAsElsewhere(string program) => Guard.Run(() =>
    {
        // The first start of an engine does not know yet how many descriptors there are.
        using ProcessEngine other = new();
        ProcessStartException elsewhere = FailureOf(program, other);
        ProcessStartException failure = FailureOf(program, _engine);
        failure.Step.Should().Be(elsewhere.Step);
        failure.NativeErrorCode.Should().Be(elsewhere.NativeErrorCode);
        failure.Message.Should().Be(elsewhere.Message);
    });

    [Fact]
    public void Runs_OfManyThreads_LoseNothingAndLeaveNothing() => Guard.Run(() =>
    {
        int descriptors = ProcFs.OpenDescriptors;
        Plain.Threads(8, 3000, i =>
        {
            ProcessResult result = TestPrograms.Shell("echo $1; echo $1 >&2; exit $2", $"{i}", $"{i % 100}").Run(_engine);
            result.ExitCode.Should().Be(i % 100);
            result.StandardOutput.Text.Should().Be($"{i}\n");
            result.StandardError.Text.Should().Be($"{i}\n");
        });
        _engine.Dispose();
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
    });

    [Fact]
    public void Dispose_OfTheEngine_EndsTheThread() => Guard.Run(() =>
    {
        int threads = Count();
        _engine.Dispose();
        Eventually.Is(() => Count() == threads - 2, "the thread is gone, and so is the one that looks for descendants");

        // "ProcessRunner spawn" and "ProcessRunner survey": the kernel keeps 15 characters.
        static int Count() => ProcFs.ThreadNames.Count(name => name == "ProcessRunner s");
    });

    [Fact]
    public void SpawnThreads_SurviveWhateverTheRuntimeDoes() => Guard.Run(() => HostProcess.Play("spawn-threads"));

    private ProcessResult Run(string program, params string[] arguments) =>
        new ProcessCommand(program, arguments).Run(_engine);

    private static ProcessStartException FailureOf(string program, ProcessEngine engine)
    {
        Action start = () => new ProcessCommand(program).Start(engine);
        return start.Should().Throw<ProcessStartException>().Which;
    }
}
