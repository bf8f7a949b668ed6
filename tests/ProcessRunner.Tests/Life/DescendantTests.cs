using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the fate of a child's descendants and their entries in the result.</summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET finds no descendants after the exit of a child")]
public sealed class DescendantTests : IDisposable
{
    // One descendant is in the group with closed streams, the other in its own session. The child ends once both exist.
    private const string LeavesTwo =
        """
        sh -c 'echo >"$0/in-group"; exec sleep 1001' "$1" <&- >&- 2>&- &
        setsid sh -c 'echo >"$0/escaped"; exec sleep 1002' "$1" <&- >&- 2>&- &
        until [ -e "$1/in-group" ] && [ -e "$1/escaped" ]; do sleep 0.01; done
        exit 7
        """;

    private readonly TemporaryDirectory _directory = new();
    private readonly Trace _trace = new();

    public void Dispose()
    {
        _trace.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Leave_DoesNothingAndMarksNothing() => Guard.Run(() =>
    {
        ProcessResult result = (Leaving(DescendantPolicy.Leave)).Run();
        result.ExitCode.Should().Be(7);
        result.SurvivingDescendants.Should().BeEmpty();
        _trace.Live().Should().HaveCount(2);
        ProcessResult environment = (new ProcessCommand("env") with { Descendants = DescendantPolicy.Leave }).Run();
        environment.StandardOutput.Text.Should().NotContain("PROCESSRUNNER_CHILD=");
    });

    [Fact]
    public void Report_NamesThemByIdAndCommandLineAlsoWithClosedStreams() => Guard.Run(() =>
    {
        ProcessCommand command = Leaving(DescendantPolicy.Report);
        ProcessResult result = command.Run();
        (result.ExitCode, result.StandardOutput.IsHeldOpen, result.StandardError.IsHeldOpen)
            .Should().Be((7, false, false));
        result.SurvivingDescendants.Select(one => one.ProcessId)
            .Should().BeEquivalentTo(_trace.Live().Select(entry => entry.Id));

        // The survey reads a name at its own time, at which a descendant may not have executed sleep yet.
        result.SurvivingDescendants.Should().OnlyContain(
            one => one.CommandLine.StartsWith("sleep 100") || one.CommandLine.StartsWith("sh -c "));
        _trace.Live().Should().HaveCount(2);
    });

    [Fact]
    public void Report_OfOneThatIsThereForLong_HasItsExactCommandLine() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            $"sleep 1001 & {TestPrograms.UntilTheLastOneIs("sleep 1001")}; echo $!; exit 7") with
        {
            Descendants = DescendantPolicy.Report,
            DrainGrace = TimeSpan.Zero,
            Environment = _trace.Variables,
        };
        ProcessResult result = command.Run();
        result.SurvivingDescendants.Should().Equal(
            new SurvivingProcess(int.Parse(result.StandardOutput.Text), "sleep 1001"));
    });

    [Fact]
    public void Report_OfStoppedRun_NamesWhatTheStopLeft() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'echo >\"$0/escaped\"; exec sleep 1002' \"$1\" & exec sleep 1000", _directory.Path) with
        {
            Descendants = DescendantPolicy.Report,
            DrainGrace = TimeSpan.Zero,
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(_directory.At("escaped")), "it has left");
        ProcessResult result = child.Stop();
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        result.SurvivingDescendants.Should().ContainSingle().Which.ProcessId.Should().Be(_trace.Live().Single().Id);
    });

    [Fact]
    public void Report_WhenNobodyIsLeft_IsEmpty() => Guard.Run(() =>
    {
        ProcessResult result =
            (TestPrograms.Shell("sleep 0.01 & wait; exit 7") with { Descendants = DescendantPolicy.Report }).Run();
        (result.ExitCode, result.SurvivingDescendants.Count).Should().Be((7, 0));
    });

    [Fact]
    public void Report_OfChildWithManyOthersBesideIt_NamesItsOwnAlone() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("sleep 1001 & setsid sleep 1002 & echo $!; exit 7") with
        {
            Descendants = DescendantPolicy.Report,
            DrainGrace = TimeSpan.FromMilliseconds(100),
            Environment = _trace.Variables,
        };
        ChildProcess[] children = [.. Enumerable.Range(0, 20).Select(_ => command.Start())];
        ProcessResult[] results = [.. children.Select(child => child.Wait())];
        results.SelectMany(result => result.SurvivingDescendants).Select(one => one.ProcessId)
            .Should().OnlyHaveUniqueItems().And.BeEquivalentTo(_trace.Live().Select(entry => entry.Id));
    });

    // The zombie's parent has left for its own session and environment, and does not reap it.
    [Fact]
    public void Report_OfAZombieInItsGroup_DoesNotNameIt() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "{ read -r go <\"$1\" & exec env -i setsid sleep 1000 <&- >&- 2>&-; } & read -r go <\"$2\"; exit 7",
            _directory.Fifo("end"),
            _directory.Fifo("go")) with
        {
            Descendants = DescendantPolicy.Report,
        };
        using ChildProcess child = command.Start();
        ProcessEntry? parent = null;
        Eventually.Is(
            () => (parent = ProcFs.All().FirstOrDefault(one => one.ParentId == child.ProcessId && one.Name == "sleep"))
                is not null,
            "the parent has left");
        File.WriteAllText(_directory.At("end"), "go\n");
        Eventually.Is(
            () => ProcFs.All().Any(one => one.GroupId == child.ProcessId && one.State == 'Z'), "it is a zombie");
        File.WriteAllText(_directory.At("go"), "go\n");
        ProcessResult result = child.Wait();
        NativeMethods.Kill(parent!.Id, NativeMethods.SIGKILL).Should().Be(0);
        (result.ExitCode, result.SurvivingDescendants.Count).Should().Be((7, 0));
    });

    // A child that receives another child's environment carries that child's mark.
    [Fact]
    public void Report_OfAChildWhoseMarkAnotherOneCarries_DoesNotNameThatOne() => Guard.Run(() =>
    {
        ProcessCommand first = TestPrograms.Shell(
            "echo $PROCESSRUNNER_CHILD >\"$1\"; read go <\"$2\"", _directory.Fifo("mark"), _directory.Fifo("go")) with
        {
            Descendants = DescendantPolicy.Report,
        };
        using ChildProcess reported = first.Start();
        ProcessCommand second = new("sleep", "1000")
        {
            Descendants = DescendantPolicy.Leave,
            Environment = new Dictionary<string, string?>
            {
                ["PROCESSRUNNER_CHILD"] = File.ReadAllText(_directory.At("mark")).Trim(),
            },
        };
        using ChildProcess other = second.Start();
        File.WriteAllText(_directory.At("go"), "go\n");
        reported.Wait().SurvivingDescendants.Should().BeEmpty();
        other.Kill();
    });

    [Fact]
    public void KillOnStop_OfRunThatEndsByItself_LeavesThemAndNamesThoseThatHoldItsOutput() => Guard.Run(() =>
    {
        Leaving(DescendantPolicy.KillOnStop).Run().SurvivingDescendants.Should().BeEmpty();
        _trace.Live().Should().HaveCount(2);
        ProcessCommand held = TestPrograms.Shell("setsid sleep 1003 & exit 7") with
        {
            DrainGrace = TimeSpan.FromMilliseconds(100),
            Environment = _trace.Variables,
        };
        ProcessResult result = held.Run();
        result.StandardOutput.IsHeldOpen.Should().BeTrue();
        result.SurvivingDescendants.Should().ContainSingle();
        _trace.Live().Should().HaveCount(3);
    });

    [Theory]
    [InlineData(ProcessGroupMode.Own)]
    [InlineData(ProcessGroupMode.Session)]
    [InlineData(ProcessGroupMode.Inherit)]
    public void KillAlways_KillsThemHoweverTheRunEnded(ProcessGroupMode mode) => Guard.Run(() =>
    {
        ProcessResult ended = (Leaving(DescendantPolicy.KillAlways) with { GroupMode = mode }).Run();
        (ended.Outcome, ended.ExitCode, ended.SurvivingDescendants.Count).Should().Be((ProcessOutcome.Exited, 7, 0));
        _trace.Live().Should().BeEmpty();
    });

    [Fact]
    public void KillAlways_OfRunWhoseOutputIsHeld_DoesNotWaitForTheDrain() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("sleep 1001 & setsid sleep 1002 & echo out; exit 7") with
        {
            Descendants = DescendantPolicy.KillAlways,
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = _trace.Variables,
        };
        ProcessResult result = command.Run();
        (result.ExitCode, result.StandardOutput.Text).Should().Be((7, "out\n"));
        result.StandardOutput.IsHeldOpen.Should().BeFalse("the holders were killed");
        _trace.Live().Should().BeEmpty();
    });

    [Fact]
    public void EscapeeThatIgnoresTheStopSignal_IsKilledAfterTheGrace() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'trap \"\" TERM; echo >\"$0/escaped\"; while :; do sleep 0.01; done' \"$1\" "
            + ">/dev/null 2>&1 & exec sleep 1000",
            _directory.Path) with
        {
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(_directory.At("escaped")), "it has left");
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(200));
        result.SignalNumber.Should().Be(15);
        _trace.Live().Should().BeEmpty();
    });

    // The kernel frees the memory of a process before it closes the descriptors, which takes time where there is much.
    [Fact]
    public void EscapeeWithMuchMemory_HasEndedOnceTheStopIsOver() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'x=$(head -c 300000000 /dev/zero | tr \"\\0\" x); echo $$; exec >&-; read -r x <\"$0\"' "
            + "\"$1\" & wait",
            _directory.Fifo("never")) with
        {
            StandardOutput = OutputTarget.Live(),
        };

        // In the first round the code of the stop is compiled, which takes as long as the end of the process.
        for (int round = 0; round < 4; round++)
        {
            using ChildProcess child = command.Start();
            using IEnumerator<OutputLine> lines = child.ReadLines(keepRunning: true).GetEnumerator();
            lines.MoveNext().Should().BeTrue("it writes its id");
            int escapee = int.Parse(lines.Current.Content, CultureInfo.InvariantCulture);
            ProcessResult result = child.Stop(TimeSpan.FromMinutes(1));
            ProcFs.IsAlive(escapee).Should().BeFalse();
            result.KilledDescendants.Should().Contain(one => one.ProcessId == escapee);
        }
    });

    // The kernel shows it as a zombie without memory, though its other threads live on.
    [Theory]
    [InlineData("")]
    [InlineData("setsid ")]
    public void DescendantThatHasLostItsFirstThread_IsFoundAndKilled(string wayOut) => Guard.Run(() =>
    {
        string file = _directory.At("id");
        ProcessCommand command = TestPrograms.Shell(
            "(trap '' TERM; exec " + wayOut + "\"$1\" lost-first-thread /dev/null \"$2\" >/dev/null 2>&1) & "
            + "exec sleep 1000",
            HostProcess.Path,
            file);
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(file), "it has lost its first thread");
        int descendant = int.Parse(File.ReadAllText(file), CultureInfo.InvariantCulture);
        ProcessResult result = child.Stop(TimeSpan.FromMilliseconds(200));
        ProcFs.IsAlive(descendant).Should().BeFalse();
        result.KilledDescendants.Should().ContainSingle(one => one.ProcessId == descendant)
            .Which.CommandLine.Should().Contain("lost-first-thread");
    });

    // A child without any environment still has the mark.
    [Fact]
    public void Escapee_OfChildThatStartsFromNothing_IsFound() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "/usr/bin/setsid /bin/sh -c 'echo >\"$0/escaped\"; exec /bin/sleep 1000' \"$1\" >/dev/null 2>&1 & "
            + "exec /bin/sleep 1000",
            _directory.Path) with
        {
            InheritEnvironment = false,
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(_directory.At("escaped")), "it has left");
        child.Stop();
        _trace.Live().Should().BeEmpty();
    });

    // The documentation states this limit of a search without a control group.
    [Fact]
    public void EscapeeThatClearedItsEnvironment_IsNotFound() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "env -i LIFE_TEST=\"$LIFE_TEST\" setsid sh -c 'echo >\"$0/escaped\"; exec sleep 1000' \"$1\" "
            + ">/dev/null 2>&1 & exec sleep 1000",
            _directory.Path) with
        {
            Descendants = DescendantPolicy.KillAlways,
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => File.Exists(_directory.At("escaped")), "it has left");
        ProcessResult result = child.Stop();
        result.SurvivingDescendants.Should().BeEmpty();
        _trace.Live().Should().ContainSingle();
    });

    // Clearing the environment alone does not leave the group.
    [Fact]
    public void GroupMemberThatClearedItsEnvironment_IsFoundByItsGroup() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("env -i LIFE_TEST=\"$LIFE_TEST\" sleep 1000 & exec sleep 1000") with
        {
            Environment = _trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => _trace.Live().Count(entry => entry.Name == "sleep") == 2, "both sleep");
        child.Stop();
        _trace.Live().Should().BeEmpty();
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ChildrenOfARunnerInsideTheChild_AreFoundByTheOuterOne(bool innerEndsFirst) => Guard.Run(() =>
    {
        string file = _directory.At("children");
        ProcessCommand command = new(
            Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestHost"),
            [
                .. (string[])["runner-inside", _directory.At("report"), file],
                .. innerEndsFirst ? ["end"] : Array.Empty<string>(),
            ])
        {
            Descendants = DescendantPolicy.Report,
            DrainGrace = TimeSpan.Zero,
            Environment = _trace.Variables,
        };
        using ChildProcess host =
            (innerEndsFirst ? command : command with { Descendants = DescendantPolicy.KillOnStop }).Start();
        Eventually.Is(() => File.Exists(file), "the inner runner has started its children");
        int[] inner = [.. File.ReadAllText(file).Split(' ').Select(int.Parse)];
        if (innerEndsFirst)
        {
            host.Wait().SurvivingDescendants.Select(one => one.ProcessId).Should().BeEquivalentTo(inner);
        }
        else
        {
            host.Stop(TimeSpan.Zero).Outcome.Should().Be(ProcessOutcome.Canceled);
            _trace.Live().Should().BeEmpty();
        }
    });

    private ProcessCommand Leaving(DescendantPolicy policy) => TestPrograms.Shell(LeavesTwo, _directory.Path) with
    {
        Descendants = policy,
        Environment = _trace.Variables,
    };
}
