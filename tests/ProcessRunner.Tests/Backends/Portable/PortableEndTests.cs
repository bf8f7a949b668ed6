using System;
using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the ends of children of the portable backend, and of the program that has them.</summary>
[Collection(Alone.Name)]
public sealed class PortableEndTests : IDisposable
{
    private readonly ProcessEngine _engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });

    public void Dispose() => _engine.Dispose();

    // A program that stood still while a limit passed must not take an exit in time for a timeout.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Exit_IsSeen_BeforeItIsReported() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        using ChildProcess child = TestPrograms.Shell("read x <\"$1\"; exit 5", go).Start(_engine);
        BackendChild watched = Internals.ChildOf(child);
        lock (watched)
        {
            watched.HasExited.Should().BeFalse();
            File.WriteAllText(go, "go\n");
            Eventually.Is(() => watched.HasExited, "the system tells it");
        }

        child.Wait().ExitCode.Should().Be(5);
    });

    // Each end brings the next command of the batch into play while the program ends.
    [Fact]
    [OnlyOn(Systems.Linux, "the process table")]
    [NativeBackend("the program of the test has a session of its own")]
    public void BatchOfAProgramThatEnds_LeavesNobody() => Guard.Run(() =>
    {
        using HostWithTrace host = new("portable-batch-that-ends");
        host.Child.Wait().ExitCode.Should().Be(3);
        Eventually.Is(() => host.Trace.Live().Count == 0, "the children end with their program");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a limit of descriptors")]
    public void File_WithoutADescriptor_IsAnErrorThatMayPass() => Guard.Run(() =>
        HostProcess.PlayWith(HostProcess.QuietRuntime, "short-of-descriptors-for-files"));

    // It has no end to go to.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Output_IsAppendedToAFifo() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        string text = "";
        Thread reader = new(() => text = File.ReadAllText(fifo));
        reader.Start();
        ProcessCommand command =
            TestPrograms.Quick("echo", "text") with { StandardOutput = OutputTarget.ToFile(fifo, append: true) };
        command.Run(_engine).EnsureSuccess();
        reader.Join();
        text.Should().Be("text\n");
    });
}
