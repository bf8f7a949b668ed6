using System;
using System.Collections.Generic;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that the shared engine takes its options once, and only before its first child: a process has only one.
/// </summary>
internal sealed class ConfiguredSharedEngine : IScenario
{
    public string Name => "configured-shared-engine";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("true", "first");
        if (arguments is ["late"])
        {
            command.Run();
            Expect.True(Refusal().Contains("true first"), "the error names the first command");
            return;
        }

        List<string> traced = [];
        ProcessEngineOptions options = new() { Trace = traced.Add, ReactorCount = 1 };
        ProcessEngine held = ProcessEngine.Shared;
        ProcessEngine.ConfigureShared(options);
        Expect.True(Refusal().Contains("before"), "the options are set once");
        command.Run();
        Expect.Equal("true first", string.Join('|', traced), "the trace");
        Expect.True(ReferenceEquals(held, ProcessEngine.Shared), "there is one shared engine");
    }

    private static string Refusal()
    {
        try
        {
            ProcessEngine.ConfigureShared(new ProcessEngineOptions());
            return "none";
        }
        catch (InvalidOperationException exception)
        {
            return exception.Message;
        }
    }
}
