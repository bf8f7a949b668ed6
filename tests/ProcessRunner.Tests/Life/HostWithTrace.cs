using System;
using System.Collections.Generic;
using System.IO;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>A test host that runs while the test does something to it; all of it is killed in the end.</summary>
internal sealed class HostWithTrace : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    /// <summary>Starts a scenario without a controlling terminal; its own group is not touched by anybody but the test.</summary>
    public HostWithTrace(string scenario, params IEnumerable<string> arguments)
        : this(terminal: null, scenario, arguments)
    {
    }

    /// <summary>Starts a scenario whose controlling terminal it is, or that has none.</summary>
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
        Child = (terminal is null ? command with { GroupMode = ProcessGroupMode.Session } : terminal.Leading(command)).Start();
    }

    /// <summary>The host's file.</summary>
    public static string Program { get; } = Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestHost");

    public Trace Trace { get; } = new();

    public ChildProcess Child { get; }

    /// <summary>What the host has to say at its end, if it came so far.</summary>
    public string Report => File.Exists(_directory.At("report")) ? File.ReadAllText(_directory.At("report")) : "no report";

    /// <summary>Waits for a file that says how far the host or its child has come.</summary>
    public static void WaitFor(string file) => Eventually.Is(() => File.Exists(file), $"{file} is there");

    public void Dispose()
    {
        Trace.Dispose();
        Child.Wait();
        Trace.Dispose();
        _directory.Dispose();
    }
}
