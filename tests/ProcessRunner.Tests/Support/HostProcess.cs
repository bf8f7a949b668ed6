using System;
using System.Collections.Generic;
using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>Plays a scenario of the test host in its own process.</summary>
internal static class HostProcess
{
    /// <summary>
    /// The script for a host that takes all descriptors. The runtime needs some to map code and to begin a thread that
    /// compiles code again, and ends the process if it gets none.
    /// </summary>
    public const string QuietRuntime = "DOTNET_EnableWriteXorExecute=0 DOTNET_TieredCompilation=0 exec \"$@\"";

    /// <summary>Gets the path of the test host.</summary>
    public static string Path { get; } = System.IO.Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestHost");

    /// <summary>Plays a scenario and fails with the host's own words if it does not pass.</summary>
    public static void Play(string scenario, params IEnumerable<string> arguments) =>
        PlayWith("exec \"$@\"", scenario, arguments);

    /// <summary>Plays a scenario with redirections of the shell, such as <c>exec "$@" &lt;&amp;-</c>.</summary>
    public static void PlayWith(string shellScript, string scenario, params IEnumerable<string> arguments)
    {
        using TemporaryDirectory directory = new();
        string report = directory.File("report");

        // The scenario may have become another user.
        File.SetUnixFileMode(directory, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
        File.SetUnixFileMode(report, UnixFileMode.UserRead | UnixFileMode.UserWrite
            | UnixFileMode.GroupWrite | UnixFileMode.OtherWrite);
        ProcessCommand command = new("/bin/sh", "-c", shellScript, "sh", Path, scenario, report);
        ProcessResult result = command.WithArguments(arguments).Run();
        string verdict = File.ReadAllText(report);
        (verdict == "holds" && result.IsSuccess).Should().BeTrue($"{verdict} {result} {result.StandardError}");
    }

    /// <summary>Plays a scenario in other namespaces (unshare(1)), which require a <see cref="Right"/>.</summary>
    public static void PlayUnshared(string options, string scenario, params IEnumerable<string> arguments) =>
        PlayWith($"exec unshare {options} \"$@\"", scenario, arguments);
}
