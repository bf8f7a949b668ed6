using System;
using System.Linq;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

[OnlyOn(Systems.Linux, "signals")]
[Collection(Alone.Name)]
[NativeBackend(".NET passes on what this process ignores and blocks")]
public sealed unsafe class SignalStateTests
{
    private const int SignalSetSize = 128;
    private const int SIG_DFL = 0;
    private const int SIG_IGN = 1;

    // cat handles no signal of its own.
    private static readonly ProcessCommand s_printState = new("cat", "/proc/self/status");

    [Fact]
    public void Child_OfOrdinaryProgram_HasEverySignalAtItsDefault() => Guard.Run(ChildShouldBeClean);

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(13)]
    [InlineData(21)]
    [InlineData(40)]
    public void Child_OfProgramThatIgnoresASignal_DoesNot(int signal) => Guard.Run(() =>
    {
        nint before = NativeMethods.SetSignalAction(signal, SIG_IGN);
        try
        {
            ChildShouldBeClean();
        }
        finally
        {
            NativeMethods.SetSignalAction(signal, before is SIG_DFL or SIG_IGN ? before : SIG_DFL);
        }
    });

    [Fact]
    public void Child_OfProgramThatHandlesSignals_DoesNot() => Guard.Run(() =>
    {
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, _ => { });
        using PosixSignalRegistration resized = PosixSignalRegistration.Create(PosixSignal.SIGWINCH, _ => { });
        ChildShouldBeClean();
    });

    [Fact]
    public void Child_OfThreadThatBlocksEverySignal_BlocksNone() => Guard.Run(() =>
    {
        byte* all = stackalloc byte[SignalSetSize];
        byte* before = stackalloc byte[SignalSetSize];
        _ = NativeMethods.Fill(all);
        NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, all, before).Should().Be(0);
        try
        {
            ChildShouldBeClean();
        }
        finally
        {
            _ = NativeMethods.SetSignalMask(NativeMethods.SIG_SETMASK, before, null);
        }
    });

    [Fact]
    public void Start_LeavesItsThreadWhatItBlocked() => Guard.Run(() =>
    {
        byte* all = stackalloc byte[SignalSetSize];
        byte* before = stackalloc byte[SignalSetSize];
        byte* after = stackalloc byte[SignalSetSize];
        NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, null, before).Should().Be(0);
        _ = NativeMethods.Fill(all);
        foreach (ProcessCommand command in (ProcessCommand[])[s_printState, new("/dev/null")])
        {
            try
            {
                command.Run();
            }
            catch (ProcessStartException)
            {
                // The command is the device, which cannot be started.
            }

            NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, null, after).Should().Be(0);
            new Span<byte>(after, SignalSetSize).SequenceEqual(new Span<byte>(before, SignalSetSize)).Should().BeTrue();
        }

        NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, all, null).Should().Be(0);
        NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, null, all).Should().Be(0);
        s_printState.Run();
        NativeMethods.SetSignalMask(NativeMethods.SIG_BLOCK, null, after).Should().Be(0);
        new Span<byte>(after, SignalSetSize).SequenceEqual(new Span<byte>(all, SignalSetSize)).Should().BeTrue();
        NativeMethods.SetSignalMask(NativeMethods.SIG_SETMASK, before, null).Should().Be(0);
    });

    [Fact]
    public void Child_WhoseReaderLeaves_EndsByBrokenPipe() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("{ yes; echo $? >&2; } | head -n 1").Run();
        result.StandardOutput.Text.Should().Be("y\n");
        result.StandardError.Text.Should().Be("141\n");
    });

    private static void ChildShouldBeClean()
    {
        string[] lines =
        [
            .. s_printState.Run().StandardOutput.Lines()
                .Where(line => line.Split(':')[0] is "SigBlk" or "SigIgn" or "SigCgt" or "SigPnd"),
        ];
        lines.Should().HaveCount(4);
        lines.Select(line => line.Split('\t')[1].Trim('0'))
            .Should().OnlyContain(rest => rest.Length == 0, string.Join('\n', lines));
    }
}
