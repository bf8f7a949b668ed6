using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using Xunit;

namespace ProcessRunner.HostileTests;

// When a test ends, much of what it wrote is still in the pipe. Neither its last line nor that of its child has an end.
public sealed class PrintingTests
{
    private const int Lines = 8000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Prints(int number)
    {
        string text = string.Concat(Enumerable.Repeat($"line of {number}\n", Lines));
        byte[] bytes = Encoding.ASCII.GetBytes($"{text}end of {number}");
        using Stream error = Console.OpenStandardError();
        error.Write(bytes);
        using Stream output = Console.OpenStandardOutput();
        output.Write(bytes);
        using Process process = Process.Start("/bin/sh", ["-c", $"printf '\\nchild of {number}'"]);
        process.WaitForExit();
    }
}
