using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Pumps;

/// <summary>Verifies the files that this process reads and writes in place of a child.</summary>
[Collection(Alone.Name)]
public sealed class PumpedFileTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly ProcessEngine _engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });

    public void Dispose()
    {
        _engine.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Output_AndError_HaveAFileEach() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err") with
        {
            StandardOutput = OutputTarget.ToFile(_directory.At("output")),
            StandardError = OutputTarget.ToFile(_directory.At("error")),
        };
        command.Run(_engine).EnsureSuccess();
        File.ReadAllText(_directory.At("output")).Should().Be("out\n");
        File.ReadAllText(_directory.At("error")).Should().Be("err\n");
    });

    [Theory]
    [InlineData(false, "out\n")]
    [InlineData(true, "longer\nout\n")]
    public void File_ThatExists_IsReplacedUnlessItIsAppendedTo(bool append, string expected) => Guard.Run(() =>
    {
        string path = _directory.File("file", "longer\n");
        ProcessCommand command =
            TestPrograms.Quick("echo", "out") with { StandardOutput = OutputTarget.ToFile(path, append) };
        command.Run(_engine).EnsureSuccess();
        File.ReadAllText(path).Should().Be(expected);
    });

    // Two programs of the machine may append to one file as well, and nothing locks it for them.
    [Fact]
    public void File_OfTwoStreams_IsSharedByThem() => Guard.Run(() =>
    {
        OutputTarget both = OutputTarget.ToFile(_directory.At("log"), append: true);
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err") with
        {
            StandardOutput = both,
            StandardError = both,
        };
        command.Run(_engine).EnsureSuccess();
        File.ReadLines(_directory.At("log")).Should().BeEquivalentTo("out", "err");
    });

    [Theory]
    [InlineData("missing")]
    [InlineData("missing/missing")]
    public void File_ThatIsMissing_IsToldByItsNumber(string name) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("stdin") with
        {
            StandardInput = InputSource.FromFile(_directory.At(name)),
        };
        ProcessStartException failure =
            command.Invoking(one => one.Run(_engine)).Should().Throw<ProcessStartException>().Which;
        (failure.Step, failure.NativeErrorCode).Should().Be((ProcessStartStep.BadStreamFile, 2));
    });

    [Theory]
    [InlineData("cat")]
    [InlineData("no-such-program")]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Files_AreClosedAfterTheRun(string program) => Guard.Run(() =>
    {
        ProcessCommand command = new ProcessCommand(program) with
        {
            StandardInput = InputSource.FromFile(_directory.File("input", "text")),
            StandardOutput = OutputTarget.ToFile(_directory.At("output")),
        };
        try
        {
            command.Run(_engine).EnsureSuccess();
        }
        catch (ProcessStartException failure)
        {
            failure.Step.Should().Be(ProcessStartStep.NotFound);
        }

        File.Exists(_directory.At("output")).Should().BeTrue("the file was opened");
        IsAnyOpen().Should().BeFalse("they are closed, without a garbage collection");
    });

    private bool IsAnyOpen() => new DirectoryInfo("/proc/self/fd").EnumerateFiles()
        .Any(descriptor => descriptor.LinkTarget?.StartsWith(_directory, StringComparison.Ordinal) == true);
}
