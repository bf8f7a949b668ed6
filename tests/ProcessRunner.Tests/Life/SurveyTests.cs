using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>What happens around the look through the process table while it takes its time, or cannot be had.</summary>
public sealed class SurveyTests
{
    // An instant in the past brings the reactor back at once, again and again, until the look is over.
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
            "setsid sh -c 'echo >\"$0\"; exec sleep 1000' \"$1\" & until [ -e \"$1\" ]; do :; done; exit 7", directory.At("left")) with
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

    private static void Before(ProcessEngine engine, Action action)
    {
        ProcessSurvey survey = Internals.FamilyOf(engine).Survey;
        FieldInfo field = typeof(ProcessSurvey).GetField("_addLiveChildren", BindingFlags.Instance | BindingFlags.NonPublic)!;
        Action<HashSet<int>> original = (Action<HashSet<int>>)field.GetValue(survey)!;
        field.SetValue(survey, (HashSet<int> processIds) =>
        {
            action();
            original(processIds);
        });
    }
}
