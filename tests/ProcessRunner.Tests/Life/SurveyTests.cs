using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Descendants;
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
        BackendChild gate = Internals.ChildOf(child);
        int inThePast = 0;
        for (int i = 0; i < 1000; i++)
        {
            lock (gate)
            {
                inThePast += gate.Deadline <= MonotonicClock.Now ? 1 : 0;
            }

            Thread.Yield();
        }

        mayLook.Set();
        child.Wait().ExitCode.Should().Be(7);
        inThePast.Should().Be(0);
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

    [Theory]
    [InlineData("empty")]
    [InlineData("denied")]
    public void Result_WithoutAProcessTable_ComesWithoutDescendants(string which) => Guard.Run(() =>
        HostProcess.PlayUnshared("--mount", "without-process-table", which));

    [Theory]
    [InlineData("stop")]
    [InlineData("guardian")]
    public void End_BesideTheProcessTableOfAnotherNamespace_KillsNoStranger(string way) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.PlayUnshared("--pid --fork", "foreign-process-table", directory, way);
    });

    // Every survey meets some process in the middle of an exec.
    [Fact]
    public void Stops_WhileTheMachineExecutesProgramsAllTheTime_LeaveNobody() => Guard.Run(() =>
    {
        const int Shells = 64;
        const int Stops = 6;
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
            Eventually.Is(() => System.IO.File.Exists(directory.At("ready")), "three have left");
            child.Stop();

            // A machine this busy may take its time to end a signalled process.
            Eventually.Is(() => trace.Live().Count == 0, "all that left were found and sent a signal");
        }

        shells.Kill();
    });

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
