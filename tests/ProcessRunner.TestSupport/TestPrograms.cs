using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.TestSupport;

/// <summary>The programs that tests start.</summary>
public static class TestPrograms
{
    /// <summary>The file of the configurable child, which stands beside the test's own assembly.</summary>
    public static string TestChildPath { get; } = Path.Combine(AppContext.BaseDirectory, "ProcessRunner.TestChild");

    /// <summary>The configurable child with its words.</summary>
    public static ProcessCommand Child(params IEnumerable<string> words) => new(TestChildPath, words);

    /// <summary>A script for the POSIX shell, where a test wants many children fast.</summary>
    public static ProcessCommand Shell(string script, params IEnumerable<string> arguments) =>
        new ProcessCommand("/bin/sh", "-c", script, "sh").WithArguments(arguments);
}
