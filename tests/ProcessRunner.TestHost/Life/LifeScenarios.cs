using System.Collections.Generic;

namespace ProcessRunner.TestHost.Life;

/// <summary>Lists the scenarios about the life and death of children.</summary>
internal static class LifeScenarios
{
    public static IEnumerable<IScenario> All =>
    [
        new ExactStatuses(),
        new ForeignProcessTable(),
        new HangingLookup(),
        new HeldZombie(),
        new HeldSurvey(),
        new HeldGuardian(),
        new HiddenProcessTable(),
        new HiddenSignalCall(),
        new HostOfHiddenChildren(),
        new HostThatEnds(),
        new HostOfOneKilled(),
        new SwappedChannels(),
        new HostWithChildrenInTurn(),
        new HostWithInterrupts(),
        new KillBeforeTheProcess(),
        new LateStatus(),
        new LostFirstThread(),
        new OrphansThatComeToUs(),
        new RefusedWaitCall(),
        new RequestNotSent(),
        new ReusedNumber(),
        new RunnerInside(),
        new ShortOfDescriptors(),
        new ShortOfDescriptorsForFiles(),
        new PortableBatchThatEnds(),
        new ProgramWithoutPidFd(),
        new MomentWithoutPidFd(),
        new SideBySide(),
        new StopWithoutDescriptors(),
        new UnkillableChild(),
        new UnkillableChildBesideOthers(),
        new UnknownUser(),
        new UnseenExit(),
        new WithoutProcessTable(),
    ];
}
