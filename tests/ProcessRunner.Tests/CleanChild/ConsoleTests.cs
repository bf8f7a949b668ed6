using System;
using System.Linq;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>Verifies which console a child has.</summary>
[OnlyOn(Systems.Windows, "consoles of Windows")]
public sealed unsafe partial class ConsoleTests
{
    private const uint MostProcesses = 1000;

    // A Ctrl-C of the user reaches only the processes at the console.
    [Fact]
    public void Child_SharesTheConsoleOfThisProgram_IfThereIsOne() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "ready\n", "sleep", "1000000") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        child.WaitForLine(line => line.Content == "ready", TimeSpan.FromMinutes(1));
        uint[] atConsole = AtConsole();
        atConsole.Contains((uint)child.ProcessId).Should().Be(atConsole.Length > 0);
    });

    // Empty without a console.
    private static uint[] AtConsole()
    {
        uint[] processes = new uint[MostProcesses];
        fixed (uint* first = processes)
        {
            return processes[..(int)GetConsoleProcessList(first, MostProcesses)];
        }
    }

    [LibraryImport("kernel32", EntryPoint = "GetConsoleProcessList")]
    private static partial uint GetConsoleProcessList(uint* processIds, uint count);
}
