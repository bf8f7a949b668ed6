using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.TestSupport;

/// <summary>Provides the programs that tests start.</summary>
public static class TestPrograms
{
    /// <summary>Gets the path of the configurable child, which is beside the test's own assembly.</summary>
    public static string TestChildPath { get; } = Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestChild");

    /// <summary>Creates a command for the configurable child with its words.</summary>
    public static ProcessCommand Child(params IEnumerable<string> words) => new(TestChildPath, words);

    /// <summary>Creates a command for a POSIX shell script, for tests that need many children fast.</summary>
    public static ProcessCommand Shell(string script, params IEnumerable<string> arguments) =>
        new ProcessCommand("/bin/sh", "-c", script, "sh").WithArguments(arguments);
}
