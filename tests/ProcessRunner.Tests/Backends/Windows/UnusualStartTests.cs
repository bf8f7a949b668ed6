using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Windows;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>Verifies starts on Windows with what a host can have or pass that is not as it should be.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "handles, paths and semaphores of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed partial class UnusualStartTests
{
    private const uint StandardError = unchecked((uint)-12);

    // -1 and -2 stand for this process and the current thread: a duplicate would give the child power over them.
    [Theory]
    [InlineData(-1)]
    [InlineData(-2)]
    [InlineData(0)]
    [InlineData(0x7FF0)]
    public void Handle_ThatIsNone_IsTheStepThatFails(int value) => Guard.Run(() =>
    {
        using SafeFileHandle none = new(value, ownsHandle: false);
        OutputTarget target = OutputTarget.ToHandle(none);
        ProcessCommand command = TestPrograms.Quick("print", "x");
        ProcessCommand[] refused =
        [
            command with { StandardInput = InputSource.FromHandle(none) },
            command with { StandardOutput = target },
            command with { StandardError = target },
            command.WithChannel(3, target),
        ];
        foreach (ProcessCommand one in refused)
        {
            FluentActions.Invoking(() => one.Run())
                .Should().Throw<ProcessStartException>().Which.Step.Should().Be(ProcessStartStep.BadHandle);
        }
    });

    [Fact]
    public void InheritedStream_ThatThisProcessHasClosed_IsTheNullDevice() => Guard.Run(() =>
    {
        const nint Closed = 0x7FF0;
        nint ours = GetStdHandle(StandardError);
        SetStdHandle(StandardError, Closed);
        try
        {
            ProcessCommand command =
                TestPrograms.Quick("print", "x", "print-err", "y") with { StandardError = OutputTarget.Inherit };
            command.Run().EnsureSuccess().StandardOutput.Text.Should().Be("x");
        }
        finally
        {
            SetStdHandle(StandardError, ours);
        }
    });

    // CreateProcess takes such a path with a prefix alone, unless the host declares that it is aware of them.
    [Fact]
    [NotUnderWine("it starts no program at a long path")]
    public void Program_AtALongPath_IsFound() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string deep = Path.Combine(directory, new string('d', 120), new string('e', 120), new string('f', 120));
        Directory.CreateDirectory(deep);
        string program = Path.Combine(deep, "program.exe");
        File.Copy(Environment.GetEnvironmentVariable("ComSpec")!, program);
        new ProcessCommand(program, "/d", "/c", "echo x").Run().StandardOutput.Text.Should().StartWith("x");
    });

    [Fact]
    public void Program_WithThePrefixOfLongPaths_IsFound() => Guard.Run(() =>
        new ProcessCommand(@"\\?\" + TestPrograms.QuickChildPath, "print", "x").Run()
            .StandardOutput.Text.Should().Be("x"));

    [Fact]
    public void BatchFile_WithThePrefixOfLongPaths_Runs() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string file = directory.File("x.cmd", "@echo it ran\r\n");
        new ProcessCommand(@"\\?\" + Path.GetFullPath(file)).Run().StandardOutput.Text.Should().StartWith("it ran");
    });

    // cmd.exe would run it in another directory.
    [Fact]
    public void BatchFile_InADirectoryOfAServer_IsRefused() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = new(directory.File("x.cmd", "@cd\r\n")) { WorkingDirectory = @"\\server\share" };
        ProcessStartException failure = FluentActions.Invoking(() => command.Run())
            .Should().Throw<ProcessStartException>().Which;
        failure.Step.Should().Be(ProcessStartStep.BadDirectory);
        failure.Message.Should().Contain("cmd.exe");
    });

    // cmd.exe would take the prefix for a server, and go to the directory of Windows.
    [Fact]
    public void BatchFile_InADirectoryWithThePrefix_RunsThere() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string place = Path.GetFullPath(directory.Path);
        ProcessCommand command = new(directory.File("x.cmd", "@cd\r\n")) { WorkingDirectory = @"\\?\" + place };
        command.Run().StandardOutput.Text.Trim().Should().BeEquivalentTo(place);
    });

    // The console would take it for the group of a process that has ended, and keep it.
    [Fact]
    public void Break_ForAGroupWithoutAMemberAtTheConsole_IsNotSent() =>
        ConsoleEvents.TrySendBreak(Environment.ProcessId, [int.MaxValue], isOurs: true).Should().BeFalse();

    [Fact]
    public void JobToken_ThatSomebodyElseHasReturned_IsReturnedAllTheSame() => Guard.Run(() =>
    {
        string name = $"processrunner-test-{Environment.ProcessId}";
        using Semaphore server = new(1, 1, name);
        string? flags = Environment.GetEnvironmentVariable("MAKEFLAGS");
        Environment.SetEnvironmentVariable("MAKEFLAGS", $"-j --jobserver-auth={name}");
        try
        {
            using JobTokens tokens = JobserverSemaphore.Open()!;
            tokens.TryTake().Should().BeTrue();
            server.Release();
            tokens.TryReturn().Should().BeTrue();
            tokens.Held.Should().Be(0);
            server.WaitOne(0).Should().BeTrue();
            server.WaitOne(0).Should().BeFalse();
        }
        finally
        {
            Environment.SetEnvironmentVariable("MAKEFLAGS", flags);
        }
    });

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(uint standard);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetStdHandle(uint standard, nint handle);
}
