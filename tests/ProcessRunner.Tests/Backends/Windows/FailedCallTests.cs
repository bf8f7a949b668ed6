using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>Verifies what becomes of a run if a call of the system fails.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "the faults are those of the Windows backend")]
[NativeBackend("the faults are those of the Windows backend")]
public sealed class FailedCallTests
{
    private const int AccessDenied = 5;
    private const int NoSystemResources = 1451;

    // ERROR_NONPAGED_SYSTEM_RESOURCES, ERROR_WORKING_SET_QUOTA and ERROR_INVALID_USER_BUFFER.
    [Theory]
    [InlineData("ReadFile", 1451)]
    [InlineData("ReadFile", 1784)]
    [InlineData("WriteFile", 1453)]
    [InlineData("WriteFile", 1784)]
    public void Transfer_ForWhichTheSystemIsShortOfMemory_IsRepeated(string call, int error) => Guard.Run(() =>
    {
        byte[] input = new byte[150_000];
        int calls = 0;
        FaultPoint.Decide = name => name == call && Interlocked.Increment(ref calls) == 1 ? error : 0;
        try
        {
            ProcessCommand copy = TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromBytes(input) };
            copy.Run().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(input.Length);
            calls.Should().BePositive();
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // A wait of the port that ends by its timeout leaves the last packets in place, and can count one. Here the first
    // of them is that of a write, another write waits for the child, and the output makes the port time out again and
    // again.
    [Fact]
    public void Input_ThatWaitsWhileTimeoutsPass_IsComplete() => Guard.Run(() =>
    {
        const int Piece = 64 * 1024;
        const int Waits = 20;
        byte[] input = new byte[5 * Piece];
        using TemporaryDirectory directory = new();
        string first = directory.At("first");
        string rest = directory.At("rest");
        int writes = 0;
        int reads = 0;
        int readsInBetween = 0;
        FaultPoint.Decide = name =>
        {
            writes += name == "WriteFile" ? 1 : 0;
            if (name != "ReadFile" || readsInBetween == Waits)
            {
                return 0;
            }

            if (++reads == Waits)
            {
                File.WriteAllText(first, "");
            }

            if (writes >= 3 && ++readsInBetween == Waits)
            {
                File.WriteAllText(rest, "");
            }

            return NoSystemResources;
        };
        try
        {
            ProcessCommand copy =
                TestPrograms.Quick("wait-file", first, "stdin-read", $"{Piece}", "wait-file", rest, "stdin");
            using ChildProcess child = (copy with { StandardInput = InputSource.FromBytes(input) }).Start();
            child.Wait().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(input.Length - Piece);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    [Fact]
    public void Kill_ForWhichTheSystemIsShortOfMemory_IsRepeated() => Guard.Run(() =>
    {
        const int NotEnoughMemory = 8;
        int calls = 0;
        FaultPoint.Decide =
            name => name == "TerminateJobObject" && Interlocked.Increment(ref calls) <= 3 ? NotEnoughMemory : 0;
        try
        {
            using ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start();
            child.Kill();
            child.Wait().StoppedBy.Should().Be(StopCause.Request);
            calls.Should().BeGreaterThan(3);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // The job kills its members when it is closed, until that has been taken back.
    [Fact]
    public void Descendant_IsSpared_ThoughItsJobCannotBeChanged() => Guard.Run(() =>
    {
        const int NotEnoughMemory = 8;
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "wait-file", directory.At("go"), "touch", directory.At("done"), "end", "return", "0") with
        {
            Descendants = DescendantPolicy.Leave,
            KillOnParentExit = true,
            StandardInput = InputSource.Null,
            StandardOutput = OutputTarget.Null,
            StandardError = OutputTarget.Null,
        };
        int calls = 0;
        FaultPoint.Decide =
            name => name == "SetInformationJobObject" && Interlocked.Increment(ref calls) > 1 ? NotEnoughMemory : 0;
        try
        {
            command.Run(engine).EnsureSuccess();
            calls.Should().BeGreaterThan(1);
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        engine.Dispose();
        directory.File("go");
        directory.WaitFor("done");
    });

    // The library starts the child suspended, where the system cannot take the job along.
    [Fact]
    public void Child_ThatJoinsItsJobLater_RunsAndIsKilledWithIt() => Guard.Run(() =>
    {
        int calls = 0;
        FaultPoint.Decide = name =>
            name == "UpdateProcThreadAttribute JOB_LIST" && Interlocked.Increment(ref calls) > 0 ? AccessDenied : 0;
        try
        {
            ProcessResult result = TestPrograms.Quick("print", "x", "return", "3").Run();
            (result.ExitCode, result.StandardOutput.Text).Should().Be((3, "x"));
            using TemporaryDirectory directory = new();
            using ChildProcess child = TestPrograms.Quick(
                "spawn", "touch", directory.At("ready"), "sleep", "1000000", "end", "sleep", "1000000").Start();
            directory.WaitFor("ready");
            child.Kill();
            child.Wait().StandardOutput.IsHeldOpen.Should().BeFalse("the descendant, which holds the output, is dead");
            calls.Should().Be(2);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });

    // The same, but it cannot join it or run.
    [Theory]
    [InlineData("AssignProcessToJobObject")]
    [InlineData("ResumeThread")]
    public void Child_ThatCannotJoinItsJob_IsGone(string call) => Guard.Run(() =>
    {
        FaultPoint.Decide = name =>
            name == "UpdateProcThreadAttribute JOB_LIST" || name == call ? AccessDenied : 0;
        try
        {
            FluentActions.Invoking(() => TestPrograms.Quick("sleep", "1000000").Run())
                .Should().Throw<ProcessStartException>().Which.NativeErrorCode.Should().Be(AccessDenied);
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        Eventually.Is(() => OwnChildren.Count(TestPrograms.QuickChildPath) == 0, "no child lives");
    });
}
