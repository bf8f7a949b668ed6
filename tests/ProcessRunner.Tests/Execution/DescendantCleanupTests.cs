using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;
using ProcessRunner.Tests.Backends;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>Verifies, without a process, when a child's descendants are surveyed, signaled and left alone.</summary>
public sealed class DescendantCleanupTests
{
    private static readonly Descendant s_member = new(11, "member", IsInReach: true);
    private static readonly Descendant s_escapee = new(12, "escapee", IsInReach: false);

    private readonly RecordingChild _child = new(10);

    [Fact]
    public void Exit_WithoutAStop_IsSettledWithoutALook()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnExit(now: 1);
        settler.TrySettle(now: 1).Should().BeTrue();
        settler.TrySurvey(isSuspicious: false, now: 2).Should().BeTrue();
        (_child.Surveys, settler.NextStep).Should().Be((0, MonotonicClock.Never));
    }

    [Fact]
    public void Stop_OfAnExitedChild_WantsALookAtOnce()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnExit(now: 1);
        settler.TrySettle(now: 1).Should().BeTrue();
        settler.OnStop(now: 5);
        settler.NextStep.Should().Be(5);
        settler.TrySettle(now: 5).Should().BeFalse();
        _child.Surveys.Should().Be(1);
    }

    // A reactor that is asked to return at a past instant would return forever.
    [Theory]
    [InlineData(DescendantPolicy.Leave)]
    [InlineData(DescendantPolicy.Report)]
    [InlineData(DescendantPolicy.KillOnStop)]
    [InlineData(DescendantPolicy.KillAlways)]
    public void Stop_OnceSettled_WantsNoFurtherLook(DescendantPolicy policy)
    {
        DescendantCleanup settler = With(policy);
        settler.OnExit(now: 1);
        settler.OnStop(now: 2);
        settler.TrySettle(now: 2);
        settler.OnSurvey([], isLast: true);
        settler.TrySettle(MonotonicClock.Now).Should().BeTrue();
        settler.NextStep.Should().Be(MonotonicClock.Never);
        settler.TrySettle(MonotonicClock.Now).Should().BeTrue();
        _child.Verbs.Should().HaveCountLessThanOrEqualTo(2, "a settled group is not signaled again and again");
    }

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Look_ThatFindsAnEscapee_SendsTheStopSignalOnceAndThenSigKill()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        settler.OnSurvey([s_member, s_escapee], isLast: true);
        settler.OnSurvey([s_member, s_escapee], isLast: true);
        _child.Verbs.Should().Equal((Verb.Ask, s_escapee.ProcessId));

        settler.OnKill(MonotonicClock.Now);
        settler.OnSurvey([s_escapee], isLast: true);
        _child.Verbs.Should().HaveCount(2).And.HaveElementAt(1, (Verb.Kill, s_escapee.ProcessId));
    }

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Escapee_ThatCouldNotBeRecognized_IsSentTheStopSignalAtTheNextLook()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        _child.Recognizes = false;
        settler.OnSurvey([s_escapee], isLast: true);
        _child.Recognizes = true;
        settler.OnSurvey([s_escapee], isLast: true);
        settler.OnSurvey([s_escapee], isLast: true);
        _child.Verbs.Should().Equal((Verb.Ask, s_escapee.ProcessId));
    }

    // Some process is always in the middle of an exec, and the descendants that have been found must not wait for it.
    [Fact]
    public void Look_ThatGoesOn_SignalsWhatItHasFoundAndSettlesNothing()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        settler.OnSurvey([s_escapee], isLast: false);
        settler.OnSurvey([], isLast: false);
        _child.Verbs.Should().Equal((Verb.Ask, s_escapee.ProcessId));
        settler.TrySettle(now: 3).Should().BeFalse();
        settler.IsBusy.Should().BeTrue();
        _child.Surveys.Should().Be(1, "the look in progress will answer");
        settler.OnSurvey([], isLast: true);
        settler.TrySettle(MonotonicClock.Now).Should().BeTrue();
    }

    [Fact]
    public void Escapee_ThatShowsUpLate_IsKilledAndWaitedForAsLongAsAllOthers()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnKill(now: 2);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        _child.Recognizes = false;
        settler.OnSurvey([s_escapee], isLast: true);
        long found = MonotonicClock.Now;
        settler.TrySettle(found).Should().BeFalse("its patience did not begin with the kill of the group");
        _child.Recognizes = true;
        settler.OnSurvey([s_member, s_escapee], isLast: true);
        _child.Verbs.Should().Equal(
            (Verb.Kill, s_escapee.ProcessId), (Verb.Kill, _child.ProcessId));
        settler.TrySettle(MonotonicClock.In(TimeSpan.FromSeconds(5)))
            .Should().BeTrue("it hangs in the kernel");
    }

    // A descendant that forks and ends during the survey is in neither place.
    [Fact]
    public void Look_ThatFindsNobody_IsFollowedBySigKillToTheGroup()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        settler.OnSurvey([], isLast: true);
        _child.Verbs.Should().BeEmpty();
        settler.TrySettle(MonotonicClock.Now).Should().BeTrue();
        _child.Verbs.Should().Equal((Verb.Kill, _child.ProcessId));
    }

    [Fact]
    public void Look_ThatNeverEnds_IsGivenUpAfterSigKill()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        settler.OnKill(now: 3);
        long patienceEnd = settler.NextStep;
        patienceEnd.Should().Be(MonotonicClock.After(3, TimeSpan.FromSeconds(5)));
        settler.TrySettle(patienceEnd - 1).Should().BeFalse();
        settler.TrySettle(patienceEnd).Should().BeTrue();
    }

    // The grace of a stop may be hours, or have no end.
    [Fact]
    public void Look_ThatHangsWithinTheGrace_IsGivenUp_AndTheGroupKilled()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        long lookEnd = settler.NextStep;
        lookEnd.Should().Be(MonotonicClock.After(2, TimeSpan.FromSeconds(10)));
        settler.OnSurvey([s_escapee], isLast: false);
        settler.TrySettle(lookEnd - 1).Should().BeFalse();
        settler.TrySettle(lookEnd).Should().BeTrue();
        _child.Verbs.Should().Equal((Verb.Ask, 12), (Verb.Kill, _child.ProcessId));
        settler.Survivors.Should().Equal(new SurvivingProcess(12, "escapee"));
    }

    [Fact]
    public void Request_ThatWasNotSentAfterAll_IsRepeatedAtTheNextLook()
    {
        DescendantCleanup settler = With(DescendantPolicy.KillOnStop);
        settler.OnStop(now: 1);
        settler.OnExit(now: 2);
        settler.TrySettle(now: 2).Should().BeFalse();
        settler.OnSurvey([s_escapee], isLast: false);
        settler.OnSurvey([s_escapee], isLast: false);
        _child.Verbs.Should().Equal((Verb.Ask, 12));
        settler.OnStopNotSent(s_escapee);
        settler.OnSurvey([s_escapee], isLast: true);
        _child.Verbs.Should().Equal((Verb.Ask, 12), (Verb.Ask, 12));
    }

    // The kernel can hold up a read of the process table without a limit.
    [Theory]
    [InlineData(DescendantPolicy.Report, false)]
    [InlineData(DescendantPolicy.KillOnStop, true)]
    public void Look_ThatHangs_IsGivenUp_AndItsLateAnswerIgnored(DescendantPolicy policy, bool isSuspicious)
    {
        DescendantCleanup settler = With(policy);
        settler.OnExit(now: 1);
        settler.TrySurvey(isSuspicious, now: 2).Should().BeFalse();
        long lookEnd = settler.NextStep;
        lookEnd.Should().Be(MonotonicClock.After(2, TimeSpan.FromSeconds(10)));
        settler.OnSurvey([s_member], isLast: false);
        settler.TrySurvey(isSuspicious, lookEnd - 1).Should().BeFalse();
        settler.NextStep.Should().Be(lookEnd, "the time counts from the question");
        settler.TrySurvey(isSuspicious, lookEnd).Should().BeTrue();
        (settler.IsBusy, settler.NextStep).Should().Be((false, MonotonicClock.Never));
        settler.OnSurvey([s_member, s_escapee], isLast: true);
        settler.OnStop(lookEnd);
        settler.TrySettle(lookEnd).Should().BeTrue("a survey that hangs cannot answer another question");
        settler.TrySurvey(isSuspicious, lookEnd).Should().BeTrue();
        settler.Survivors.Should().Equal(new SurvivingProcess(11, "member"));
        _child.Surveys.Should().Be(1);
    }

    [Fact]
    public void Look_ThatLacksMemory_IsMadeLater()
    {
        DescendantCleanup settler = With(DescendantPolicy.Report);
        settler.OnExit(now: 1);
        _child.LacksMemory = true;
        settler.Invoking(settler => settler.TrySurvey(isSuspicious: false, now: 2))
            .Should().Throw<OutOfMemoryException>();
        _child.LacksMemory = false;
        settler.TrySurvey(isSuspicious: false, now: 2).Should().BeFalse();
        _child.Surveys.Should().Be(1);
    }

    [Fact]
    public void Survivors_OfAStopThatDidNotReachThem_AreNamed()
    {
        DescendantCleanup settler = With(DescendantPolicy.Report);
        settler.OnExit(now: 1);
        settler.TrySurvey(isSuspicious: false, now: 2).Should().BeFalse();
        settler.OnSurvey([s_member, s_escapee], isLast: true);
        settler.TrySurvey(isSuspicious: false, now: 2).Should().BeTrue();
        settler.Survivors.Should().Equal(new SurvivingProcess(11, "member"), new SurvivingProcess(12, "escapee"));
        _child.Verbs.Should().BeEmpty();
    }

    private DescendantCleanup With(DescendantPolicy policy) =>
        new(new ProcessCommand("program") { Descendants = policy }, _child);

    private enum Verb
    {
        Ask,
        Kill,
    }

    private sealed class RecordingChild : ShellChild
    {
        public RecordingChild(int processId) => ProcessId = processId;

        public int Surveys { get; private set; }

        /// <summary>Gets the processes that were asked or killed. The child's own id stands for its reach.</summary>
        public List<(Verb Verb, int ProcessId)> Verbs { get; } = [];

        public override void Kill() => Verbs.Add((Verb.Kill, ProcessId));

        /// <summary>Gets or sets whether there is no memory for a survey.</summary>
        public bool LacksMemory { get; set; }

        public override void Survey() => Surveys += LacksMemory ? throw new InsufficientMemoryException() : 1;

        /// <summary>Gets or sets whether a descendant can be recognized now.</summary>
        public bool Recognizes { get; set; } = true;

        public override bool RequestStop(Descendant descendant, PosixSignal signal) => Add(Verb.Ask, descendant);

        public override void Kill(Descendant descendant) => Add(Verb.Kill, descendant);

        private bool Add(Verb verb, Descendant descendant)
        {
            if (Recognizes)
            {
                Verbs.Add((verb, descendant.ProcessId));
            }

            return Recognizes;
        }
    }
}
