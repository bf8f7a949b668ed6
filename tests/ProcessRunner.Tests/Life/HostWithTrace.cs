using System;
using System.Collections.Generic;
using System.IO;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>Represents a test host that runs while the test acts on it. All of it is killed at the end.</summary>
internal sealed class HostWithTrace : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    /// <summary>
    /// Starts a scenario without a controlling terminal. Only the test affects the scenario's own group.
    /// </summary>
    public HostWithTrace(string scenario, params IEnumerable<string> arguments)
        : this(terminal: null, scenario, arguments)
    {
    }

    /// <summary>Starts a scenario with a given controlling terminal, or without any.</summary>
    public HostWithTrace(PseudoTerminal? terminal, string scenario, params IEnumerable<string> arguments)
    {
        ProcessCommand command = new(Program, scenario, _directory.At("report"))
        {
            Descendants = DescendantPolicy.Leave,
            DrainGrace = TimeSpan.Zero,
            Environment = new Dictionary<string, string?>
            {
                [Trace.Name] = Trace.Value,

                // A killed program leaves the sockets of its diagnostics behind.
                ["DOTNET_EnableDiagnostics"] = "0",
            },
        };
        command = command.WithArguments(arguments);
        ProcessCommand inItsSession = terminal is null
            ? command with { GroupMode = ProcessGroupMode.Session }
            : terminal.Leading(command);
        Child = inItsSession.Start();
    }

    /// <summary>Gets the path of the host's file.</summary>
    public static string Program { get; } = Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestHost");

    public Trace Trace { get; } = new();

    public ChildProcess Child { get; }

    /// <summary>Gets the report at the host's end, if the host got that far.</summary>
    public string Report =>
        File.Exists(_directory.At("report")) ? File.ReadAllText(_directory.At("report")) : "no report";

    /// <summary>Waits for a file that reports the progress of the host or its child.</summary>
    public static void WaitFor(string file) => Eventually.Is(() => File.Exists(file), $"{file} is there");

    public void Dispose()
    {
        Trace.Dispose();
        Child.Wait();
        Trace.Dispose();
        _directory.Dispose();
    }
}
