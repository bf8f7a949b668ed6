using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestSupport;

/// <summary>Finds the compiler and the binutils of this machine and of the other processor.</summary>
public static class Toolchain
{
    /// <summary>Gets the name of a tool (<c>gcc</c>, <c>as</c>, <c>objdump</c>) that works for a processor.</summary>
    public static string Tool(Architecture architecture, string name) =>
        architecture == RuntimeInformation.ProcessArchitecture ? name
        : architecture == Architecture.X64 ? $"x86_64-linux-gnu-{name}"
        : $"aarch64-linux-gnu-{name}";

    /// <summary>Returns whether a program is on PATH.</summary>
    public static bool Has(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(':').Any(directory => File.Exists(Path.Combine(directory, program)));
}
