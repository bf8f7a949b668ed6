using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using Xunit;

namespace ProcessRunner.HostileTests;

// The first test leaves a shell behind, if it is asked to. The shell starts another process in the time of the second
// test, and ends in that of the third.
[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class LeakOwnerTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private static int s_shell;

    internal static bool IsAsked { get; } = Environment.GetEnvironmentVariable("HOSTILE_OWNER") is not null;

    private static string Files => State.File("owner");

    [Fact]
    public void First()
    {
        if (IsAsked)
        {
            using Process process = Process.Start(
                "/bin/sh",
                [
                    "-c",
                    $"exec <&- >&- 2>&-; until [ -e {Files}.go ]; do sleep 0.01; done; setsid sleep 1000.9 & "
                        + $"echo $! >{Files}; until [ -e {Files}.end ]; do sleep 0.01; done",
                ]);
            s_shell = process.Id;
        }
    }

    [Fact]
    public void Second()
    {
        if (IsAsked)
        {
            File.WriteAllText($"{Files}.go", "");
            SpinWait.SpinUntil(() => File.Exists(Files) && new FileInfo(Files).Length > 0, s_patience);
        }
    }

    [Fact]
    public void Third()
    {
        if (IsAsked)
        {
            File.WriteAllText($"{Files}.end", "");
            SpinWait.SpinUntil(() => !Directory.Exists($"/proc/{s_shell}"), s_patience);
        }
    }
}

public sealed class NamelessLeakTests
{
    [Fact(DisplayName = " ")]
    public void Leaks()
    {
        if (LeakOwnerTests.IsAsked)
        {
            Leaking.Start("exec sleep 1000.95 <&- >&- 2>&-");
        }
    }
}
