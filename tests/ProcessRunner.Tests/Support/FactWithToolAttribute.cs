using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using Xunit;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Marks a fact about x64 machine code that needs a program of the machine. Without the program the test is skipped
/// with a message.
/// </summary>
internal sealed class FactWithToolAttribute : FactAttribute
{
    public FactWithToolAttribute(string tool)
    {
        string path = Environment.GetEnvironmentVariable("PATH") ?? "";
        if (RuntimeInformation.ProcessArchitecture != Architecture.X64)
        {
            Skip = "This machine is not x64.";
        }
        else if (!path.Split(':').Any(directory => File.Exists(Path.Combine(directory, tool))))
        {
            Skip = $"There is no {tool} here.";
        }
    }
}
