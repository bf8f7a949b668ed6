using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies a survey of the process table that takes its time or is impossible.</summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
[NativeBackend(".NET finds no descendants after the exit of a child")]
public sealed class SurveyTests
{
    // A past instant brings the reactor back at once, again and again, until the survey is over.
    [Theory]
    [InlineData(DescendantPolicy.KillOnStop)]
    [InlineData(DescendantPolicy.Report)]
    [InlineData(DescendantPolicy.KillAlways)]
    public void Deadline_OfAChildThatWaitsForALook_IsNeverInThePast(DescendantPolicy policy) => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        new ProcessCommand("true").Run(engine);
        using ManualResetEventSlim isLooking = new();
        using ManualResetEventSlim mayLook = new();
        Before(engine, () =>
        {
            isLooking.Set();
            mayLook.Wait();
        });
        ProcessCommand command = TestPrograms.Shell(
            "setsid sh -c 'echo >\"$0\"; exec sleep 1000' \"$1\" & until [ -e \"$1\" ]; do :; done; exit 7",
            directory.At("left")) with
        {
            Descendants = policy,
            DrainGrace = TimeSpan.Zero,
            Environment = trace.Variables,
        };
        using ChildProcess child = command.Start(engine);
        isLooking.Wait();
        BackendChild watched = Internals.ChildOf(child);
        for (int i = 0; i < 1000; i++)
        {
            // On a busy machine the reactor can be late.
            Eventually.Is(() => IsDueLater(watched), "the reactor may sleep");
        }

        mayLook.Set();
        child.Wait().ExitCode.Should().Be(7);
    });

    // The errors mean: permanently out of descriptors or memory, forbidden, missing, broken.
    [Theory]
    [InlineData(Errno.TooManyOpenFiles)]
    [InlineData(Errno.OutOfMemory)]
    [InlineData(Errno.AccessDenied)]
    [InlineData(Errno.NoSuchFile)]
    [InlineData(Errno.InputOutput)]
    public void Result_OfAnEngineThatCannotOpenAnything_ComesWithoutDescendants(int error) => Guard.Run(() =>
        HostProcess.Play("hidden-process-table", $"{error}"));

    [TheoryWithRight(Right.MountNamespace)]
    [InlineData("empty")]
    [InlineData("denied")]
    public void Result_WithoutAProcessTable_ComesWithoutDescendants(string which) => Guard.Run(() =>
        HostProcess.PlayUnshared("--mount", "without-process-table", which));

    [TheoryWithRight(Right.ProcessNamespace)]
    [InlineData("stop")]
    [InlineData("guardian")]
    public void End_BesideTheProcessTableOfAnotherNamespace_KillsNoStranger(string way) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.PlayUnshared("--pid --fork", "foreign-process-table", directory, way);
    });

    // A process whose memory the kernel has freed has not ended yet. The first process of a namespace stays in this
    // state until all others there are reaped, and one of them has a parent that does not run. unshare, which waits for
    // it, carries no mark.
    [FactWithRight(Right.ProcessNamespace)]
    public void Stop_OfADescendantThatHasLostItsMemory_WaitsForItsEnd() => Guard.Run(() =>
    {
        const string Namespace = "unshare --pid --fork";
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        ProcessCommand command = TestPrograms.Shell(
            $"setsid env -u PROCESSRUNNER_CHILD {Namespace} env PROCESSRUNNER_CHILD=$PROCESSRUNNER_CHILD "
            + "sh -c 'trap exit TERM; read -r id rest </proc/self/stat; echo $id >\"$0\"; sleep 1000 & wait' \"$1\" "
            + ">/dev/null 2>&1 & wait",
            directory.Fifo("id"));
        using ChildProcess child = command.Start(engine);
        int descendant = int.Parse(File.ReadAllText(directory.At("id")), CultureInfo.InvariantCulture);
        ProcessCommand inside = new("nsenter", "--target", $"{descendant}", "--pid", "sleep", "1000")
        {
            Descendants = DescendantPolicy.Leave,
        };
        using ChildProcess parent = inside.Start();
        Eventually.Is(
            () => ProcFs.All().Any(one => one.ParentId == parent.ProcessId && one.Name == "sleep"),
            "another process is in the namespace");
        parent.Signal((PosixSignal)19).Should().BeTrue();

        // One that has not stopped yet still reaps.
        Eventually.Is(
            () => ProcFs.All().Any(one => one.Id == parent.ProcessId && one.State == 'T'), "it reaps no more");
        int looks = 0;
        Before(engine, () => Interlocked.Increment(ref looks));
        Task<ProcessResult> stop = child.StopAsync(Timeout.InfiniteTimeSpan);
        Eventually.Is(() => HasNoMemory(descendant), "the kernel has freed its memory");
        int seen = Volatile.Read(ref looks);
        Eventually.Is(() => Volatile.Read(ref looks) > seen + 2 || stop.IsCompleted, "the survey has looked again");
        stop.IsCompleted.Should().BeFalse();
        parent.Signal(PosixSignal.SIGCONT);
        ProcessResult result = stop.GetAwaiter().GetResult();
        ProcFs.IsAlive(descendant).Should().BeFalse();
        result.KilledDescendants.Should().Contain(one => one.ProcessId == descendant);
    });

    // Every survey meets some process in the middle of an exec.
    [Fact]
    public void Stops_WhileTheMachineExecutesProgramsAllTheTime_LeaveNobody() => Guard.Run(() =>
    {
        const int Shells = 16;
        const int Stops = 4;
        using Trace storm = new("LIFE_TEST_STORM");
        using ChildProcess shells = (TestPrograms.Shell(
            $"i=0; while [ $i -lt {Shells} ]; do (while :; do /bin/true; done) & i=$((i+1)); done; wait") with
        {
            Descendants = DescendantPolicy.Leave,
            Environment = storm.Variables,
        }).Start();
        for (int i = 0; i < Stops; i++)
        {
            using Trace trace = new();
            using TemporaryDirectory directory = new();
            ProcessCommand command = TestPrograms.Shell(
                "for n in 1 2 3; do setsid sh -c 'echo >\"$0\"; exec sleep 1000' \"$1/$n\" >/dev/null 2>&1 & done; "
                + "until [ -e \"$1/1\" ] && [ -e \"$1/2\" ] && [ -e \"$1/3\" ]; do sleep 0.01; done; "
                + "echo >\"$1/ready\"; wait",
                directory) with
            {
                Environment = trace.Variables,
                StopGrace = TimeSpan.FromSeconds(1),
            };
            using ChildProcess child = command.Start();
            Eventually.Is(() => File.Exists(directory.At("ready")), "three have left");
            child.Stop();

            // A machine this busy may take its time to end a signaled process.
            Eventually.Is(() => trace.Live().Count == 0, "all that left were found and sent a signal");
        }

        shells.Kill();
    });

    // The kernel can hold up a read of the process table for as long as it likes.
    [Fact]
    public void Look_ThatHangs_HoldsUpNeitherTheEndOfARunNorThatOfItsEngine() => Guard.Run(() =>
    {
        TaskCompletionSource mayLook = new();
        try
        {
            using ProcessEngine engine = new();
            new ProcessCommand("true").Run(engine);
            Before(engine, () => mayLook.Task.Wait());
            ProcessResult result =
                (TestPrograms.Shell("exit 7") with { Descendants = DescendantPolicy.Report }).Run(engine);
            (result.ExitCode, result.SurvivingDescendants.Count).Should().Be((7, 0));
        }
        finally
        {
            mayLook.SetResult();
        }
    });

    // Its gate stops all events of the reactor, and the look may hang in the middle of a kill.
    [Fact]
    public void LookAtADescendant_ThatHangs_HoldsUpNoOtherChildOfTheReactor() =>
        Guard.Run(() => HostProcess.Play("held-survey"));

    [Fact]
    public void RequestToADescendant_ThatCannotBeSent_IsRepeated() =>
        Guard.Run(() => HostProcess.Play("request-not-sent"));

    private static bool HasNoMemory(int processId) =>
        new ProcessTable().ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear && stat.IsInExec;

    private static bool IsDueLater(BackendChild child)
    {
        lock (child.Gate)
        {
            return child.Deadline > MonotonicClock.Now;
        }
    }

    private static void Before(ProcessEngine engine, Action action)
    {
        ProcessSurvey survey = Internals.FamilyOf(engine).Survey;
        FieldInfo field =
            typeof(ProcessSurvey).GetField("_addLiveChildren", BindingFlags.Instance | BindingFlags.NonPublic)!;
        Action<HashSet<int>> original = (Action<HashSet<int>>)field.GetValue(survey)!;
        field.SetValue(survey, (HashSet<int> processIds) =>
        {
            action();
            original(processIds);
        });
    }
}
