using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Tests.Races;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Verifies that the children of a process with thousands of descriptors, to which the engine lends low numbers, get
/// the same descriptors as elsewhere.
/// </summary>
[OnlyOn(Systems.Linux, "descriptors and /proc")]
[Collection(Alone.Name)]
[SupportedOSPlatform("linux")]
[NativeBackend(".NET passes on descriptors without close-on-exec")]
public sealed class CrowdOfDescriptorsTests : IDisposable
{
    private readonly ProcessEngine _engine = new();
    private readonly List<int> _crowd = [];

    public CrowdOfDescriptorsTests()
    {
        // The engine reserves low numbers once it sees that it will need them.
        Open(300);
        new ProcessCommand("true").Run(_engine);
        Open(1800);
    }

    public void Dispose()
    {
        _engine.Dispose();
        Disperse();
    }

    [Fact]
    public void Child_HasDescriptors012AndNoOther() => Guard.Run(() =>
    {
        // ls itself opens the directory, with the lowest free number.
        Run("ls", "/proc/self/fd").StandardOutput.Lines().Should().Equal("0", "1", "2", "3");
        Run("readlink", "/proc/self/fd/0").StandardOutput.Text.Should().Be("/dev/null\n");
    });

    [Fact]
    public void Child_HasNoSignalBlockedOrIgnored() => Guard.Run(() =>
        Run("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status").StandardOutput.Lines()
            .Should().HaveCount(2).And.OnlyContain(
                line => line.EndsWith("0000000000000000", StringComparison.Ordinal)));

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
            ProcessResult result =
                TestPrograms.Shell("echo $1; echo $1 >&2; exit $2", $"{i}", $"{i % 100}").Run(_engine);
            result.ExitCode.Should().Be(i % 100);
            result.StandardOutput.Text.Should().Be($"{i}\n");
            result.StandardError.Text.Should().Be($"{i}\n");
        });
        _engine.Dispose();
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
    });

    [Fact]
    public void Children_OfAnEngineThatBeginsInTheCrowd_AreTheSame() => Guard.Run(() =>
    {
        using ProcessEngine late = new();
        for (int i = 0; i < 3; i++)
        {
            ProcessResult result = new ProcessCommand("ls", "/proc/self/fd").Run(late);
            result.StandardOutput.Lines().Should().Equal("0", "1", "2", "3");
        }
    });

    // The kernel reports the size of a child's descriptor table.
    [Fact]
    public void Child_BehindAJumpOfTheTable_GetsASmallTable() => Guard.Run(() =>
    {
        if (CloneSelfTest.Verdict != CloneVerdict.Passed)
        {
            return;
        }

        using ProcessEngine lateComer = new();
        TableOfAChild(lateComer).Should().BeGreaterThan(1024, "it begins in the crowd, and no low number is free");
        Disperse();
        using ProcessEngine beginner = new();
        TableOfAChild(beginner).Should().BeLessThan(1024);
        TableOfAChild(lateComer).Should().BeLessThan(1024);
        Open(2100);
        TableOfAChild(beginner).Should().BeLessThan(1024, "it has kept low numbers since its first start");
        TableOfAChild(lateComer).Should().BeLessThan(1024, "it has taken low numbers as soon as they were free");
    });

    [Fact]
    public void Dispose_OfTheEngine_ClosesTheNumbersThatItKept() => Guard.Run(() =>
    {
        Garbage.LetGo();
        int before = ProcFs.NullDevices;
        _engine.Dispose();
        ProcFs.NullDevices.Should().Be(before - 24, "it kept those of eight starts");
    });

    private void Open(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _crowd.Add(NativeMethods.Open("/dev/null", 0));
        }
    }

    private void Disperse()
    {
        _crowd.ForEach(descriptor => NativeMethods.Close(descriptor).Should().Be(0));
        _crowd.Clear();
    }

    private static int TableOfAChild(ProcessEngine engine) => int.Parse(
        new ProcessCommand("sed", "-n", "s/^FDSize:\t//p", "/proc/self/status").Run(engine).StandardOutput.Text,
        CultureInfo.InvariantCulture);

    private ProcessResult Run(string program, params string[] arguments) =>
        new ProcessCommand(program, arguments).Run(_engine);

    private static ProcessStartException FailureOf(string program, ProcessEngine engine)
    {
        Action start = () => new ProcessCommand(program).Start(engine);
        return start.Should().Throw<ProcessStartException>().Which;
    }
}
