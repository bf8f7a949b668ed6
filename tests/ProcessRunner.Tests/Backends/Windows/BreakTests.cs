using System;
using System.Buffers.Binary;
using System.IO;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>Verifies that the answer to a signal is true for children that no event of a console can reach.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "consoles of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed partial class BreakTests
{
    private static readonly uint[] s_standard = [unchecked((uint)-10), unchecked((uint)-11), unchecked((uint)-12)];

    // While it is loaded, it could be about to get its console.
    [Fact]
    public void Signal_ToAChildWithoutAConsole_IsNotSent() => Guard.Run(() =>
    {
        string program = Path.Combine(AppContext.BaseDirectory, $"window-program-{Environment.ProcessId}.exe");
        byte[] image = File.ReadAllBytes(TestPrograms.QuickChildPath);
        MakeWindowProgram(image);
        File.WriteAllBytes(program, image);
        try
        {
            using ChildProcess child = new ProcessCommand(program, "sleep", "1000000").Start();
            Eventually.Is(() => !child.Signal(PosixSignal.SIGTERM), "the signal is not sent");
            child.Signal((PosixSignal)9).Should().BeTrue();
            child.Wait().ExitCode.Should().Be(-1);
        }
        finally
        {
            File.Delete(program);
        }
    });

    // This process has one console at a time.
    [Fact]
    [NotUnderWine("this process gets no console there")]
    public void Signal_ToAChildWithAConsoleOfItsOwn_WhileThisProcessHasOne_IsNotSent() => Guard.Run(() =>
    {
        nint[] ours = Array.ConvertAll(s_standard, GetStdHandle);
        bool isNew = !OwnConsole.Exists() && AllocConsole();
        try
        {
            OwnConsole.Exists().Should().BeTrue();
            ProcessCommand command =
                TestPrograms.Quick("sleep", "1000000") with { GroupMode = ProcessGroupMode.Session };
            using ChildProcess child = command.Start();
            child.Signal(PosixSignal.SIGTERM).Should().BeFalse();
            child.Kill();
            child.Wait();
        }
        finally
        {
            if (isNew)
            {
                FreeConsole();
                for (int i = 0; i < ours.Length; i++)
                {
                    SetStdHandle(s_standard[i], ours[i]);
                }
            }
        }
    });

    // .NET shows a CTRL_BREAK as SIGQUIT, whatever the stop signal is.
    [Fact]
    [NotUnderWine("no CTRL_BREAK reaches a child there")]
    public void Stop_OfAChildThatHandlesIt_LeavesItToTheChild() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command =
            TestPrograms.Child("on-signal", "QUIT", "42", "touch", directory.At("ready"), "sleep", "1000000") with
            {
                StopGrace = TimeSpan.FromSeconds(60),
            };
        using ChildProcess child = command.Start();
        directory.WaitFor("ready");
        ProcessResult result = child.Stop();
        (result.ExitCode, result.StoppedBy).Should().Be((42, StopCause.Request));
        result.StandardOutput.Text.Should().Be("got QUIT\n");
    });

    [Theory]
    [InlineData(PosixSignal.SIGINT)]
    [InlineData(PosixSignal.SIGTERM)]
    [InlineData(PosixSignal.SIGQUIT)]
    [NotUnderWine("no CTRL_BREAK reaches a child there")]
    public void Signal_ThatAChildHandles_ReachesIt(PosixSignal signal) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ChildProcess child =
            TestPrograms.Child("on-signal", "QUIT", "42", "touch", directory.At("ready"), "sleep", "1000000").Start();
        directory.WaitFor("ready");
        child.Signal(signal).Should().BeTrue();
        ProcessResult result = child.Wait();
        (result.ExitCode, result.StoppedBy).Should().Be((42, StopCause.None));
    });

    // The system connects such a program to no console: its header says that it has windows.
    private static void MakeWindowProgram(Span<byte> image)
    {
        const int PlaceOfHeader = 0x3C;
        const int PlaceOfSubsystem = 0x5C;
        const ushort Windows = 2;
        int header = BinaryPrimitives.ReadInt32LittleEndian(image[PlaceOfHeader..]);
        BinaryPrimitives.WriteUInt16LittleEndian(image[(header + PlaceOfSubsystem)..], Windows);
    }

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool AllocConsole();

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool FreeConsole();

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(uint standard);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetStdHandle(uint standard, nint handle);
}
