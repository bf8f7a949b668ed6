using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.TestSupport;

/// <summary>Provides the programs that tests start.</summary>
public static class TestPrograms
{
    private static readonly string s_suffix = OperatingSystem.IsWindows() ? ".exe" : "";

    /// <summary>Gets the path of the configurable child, which is beside the test's own assembly.</summary>
    public static string TestChildPath { get; } = Beside("ProcessRunner.TestChild");

    /// <summary>
    /// Gets the path of the quick child, or of the configurable one where there was no compiler for the quick one.
    /// </summary>
    public static string QuickChildPath { get; } =
        File.Exists(Beside("quick-child")) ? Beside("quick-child") : TestChildPath;

    /// <summary>Creates a command for the configurable child with its words.</summary>
    public static ProcessCommand Child(params IEnumerable<string> words) => new(TestChildPath, words);

    /// <summary>
    /// Creates a command for a child that starts fast, on every system. It has the words that its source lists.
    /// </summary>
    public static ProcessCommand Quick(params IEnumerable<string> words) => new(QuickChildPath, words);

    /// <summary>Creates a command for a POSIX shell script, for tests of Unix alone.</summary>
    public static ProcessCommand Shell(string script, params IEnumerable<string> arguments) =>
        new ProcessCommand("/bin/sh", "-c", script, "sh").WithArguments(arguments);

    /// <summary>
    /// Gets the part of a script that waits until the last process in the background has a command line. The kernel
    /// knows the name of a program earlier than its arguments.
    /// </summary>
    public static string UntilTheLastOneIs(string commandLine) =>
        $"until [ \"$(tr '\\0' ' ' </proc/$!/cmdline)\" = '{commandLine} ' ]; do :; done";

    private static string Beside(string name) => Path.Combine(AppContext.BaseDirectory, name + s_suffix);
}
