using System.Collections.Generic;

namespace ProcessRunner.TestHost.Terminals;

/// <summary>Lists the scenarios about hosts at a terminal and about signals that end a host.</summary>
internal static class TerminalScenarios
{
    public static IEnumerable<IScenario> All =>
    [
        new HostOfTrees(),
        new HostThatIsIdle(),
        new PipelineAtTerminal(),
        new RunAtTerminal(),
    ];
}
