using System;
using System.IO;
using System.Linq;
using ProcessRunner.TestHost.Batches;
using ProcessRunner.TestHost.Faults;
using ProcessRunner.TestHost.Life;
using ProcessRunner.TestHost.Terminals;

namespace ProcessRunner.TestHost;

/// <summary>
/// Plays one scenario: <c>NAME REPORT [ARGUMENT...]</c>. The standard streams may be closed, so the answer is the exit
/// code (0: passed, 1: failed, 2: unknown scenario) and the text of the report file. The variable
/// <c>CROWD_OF_DESCRIPTORS</c> makes it open thousands of descriptors first; <c>USE_POSIX_SPAWN</c> makes it start
/// children by posix_spawn.
/// </summary>
internal static class Program
{
    private static readonly IScenario[] s_scenarios =
    [
        new Basics(),
        new BehindFilter(),
        new BesideProcessClass(),
        new BusyRuntime(),
        new ClosedDescriptors(),
        new ConfiguredSharedEngine(),
        new DeletedDirectory(),
        new DescriptorLimit(),
        new DescriptorLimitOfChildren(),
        new EngineAtDescriptorLimit(),
        new FileSizeLimit(),
        new PortableFileSizeLimit(),
        new RollSizeLimit(),
        new FirstListener(),
        new ForeignReaper(),
        new FullDisk(),
        new HiddenSystemCall(),
        new IgnoredChildSignal(),
        new InheritedStreams(),
        new MemoryOfARun(),
        new MemoryOfCaptures(),
        new EngineAtThreadLimit(),
        new FaultSweep(),
        new FirstClone(),
        new HeapLimit(),
        new InterruptedReceivers(),
        new LinesWithoutMemory(),
        new ManyStarts(),
        new MissingRight(),
        new NoMoreThreads(),
        new HostShortOfAThread(),
        new NoMoreWatches(),
        new LowDescriptorPoolAtLimit(),
        new PeakMemory(),
        new PipelinesWithoutDescriptors(),
        new RuntimeAtDescriptorLimit(),
        new SelfTestAtDescriptorLimit(),
        new SignalStorm(),
        new SlowStarts(),
        new StoppedGroup(),
        new StoppedStart(),
        new StoppedTee(),
        new InterruptsWithoutMemory(),
        new StopsWithoutMemory(),
        new UnenterableDirectory(),
        new WithoutChangeOfDirectory(),
        new WorkItems(),
        .. LifeScenarios.All,
        .. TerminalScenarios.All,
        new BatchAtDescriptorLimit(),
        new BatchAtProcessLimit(),
        new BatchWithInterrupts(),
        new BatchKilledInAStart(),
        new BatchWithJobserver(),
    ];

    private static int Main(string[] arguments)
    {
        if (arguments.Length < 2
            || s_scenarios.FirstOrDefault(one => one.Name == arguments[0]) is not IScenario scenario)
        {
            return 2;
        }

        AppDomain.CurrentDomain.UnhandledException += (_, unhandled) => File.WriteAllText(
            arguments[1], $"{unhandled.ExceptionObject}");
        try
        {
            Switch("ProcessRunner.UsePosixSpawn", "USE_POSIX_SPAWN");
            Switch("ProcessRunner.UsePortableBackend", "USE_PORTABLE_BACKEND");
            if (Environment.GetEnvironmentVariable(OpenDescriptors.CrowdVariable) is not null)
            {
                OpenDescriptors.Crowd();
            }

            scenario.Play(arguments[2..]);
            File.WriteAllText(arguments[1], "holds");
            return 0;
        }
        catch (Exception exception)
        {
            File.WriteAllText(arguments[1], exception.ToString());
            return 1;
        }
    }

    private static void Switch(string name, string variable) =>
        AppContext.SetSwitch(name, Environment.GetEnvironmentVariable(variable) is not (null or "" or "0"));
}
