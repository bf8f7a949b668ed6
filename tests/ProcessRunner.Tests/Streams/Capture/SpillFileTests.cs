using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

/// <summary>
/// Verifies the temporary files of captures: other users cannot read them, and a failed write is an error of its run.
/// </summary>
[Collection(Alone.Name)]
[NativeBackend(".NET neither makes files without a name nor blocks SIGXFSZ")]
public sealed class SpillFileTests
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const int OperationNotSupported = 95;
    private const int Limit = 1000;
    private const int Size = 1_000_000;

    private static readonly ProcessCommand s_command = TestPrograms.Shell($"head -c {Size} /dev/zero; exit 3") with
    {
        StandardOutput = OutputTarget.Capture(Limit, CapturePolicy.SpillToFile),
    };

    [Fact]
    [OnlyOn(Systems.Unix, "the modes of files")]
    public void SpillFile_OfAnyRun_NeverHasANameAndIsForItsOwnerAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        NamesMadeIn(directory, ShouldSpillForItsOwner).Should().BeEmpty();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "the modes of files")]
    public void SpillFile_WhereEveryFileHasAName_IsForItsOwnerAloneAllTheSame() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        int opens = 0;
        FaultPoint.Decide = call =>
            call == "open" && IsDelivery && Interlocked.Increment(ref opens) == 1 ? OperationNotSupported : 0;
        try
        {
            NamesMadeIn(directory, ShouldSpillForItsOwner)
                .Should().ContainSingle(name => name.StartsWith("processrunner-"));
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        Directory.EnumerateFileSystemEntries(directory).Should().BeEmpty("the name is removed at once");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void SpillFile_ThatCannotBeMade_IsAnErrorThatNamesTheCommand() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        In(directory.At("missing"), () =>
        {
            IOException failure = StreamingSupport.Thrown(() => s_command.Run())
                .Should().BeOfType<IOException>().Subject;
            failure.Message.Should().Contain($"head -c {Size}").And.Contain(directory.At("missing"));
            ProcessResult result = ProcessResult.Of(failure)!;
            result.ExitCode.Should().Be(3);
            CapturedOutput output = result.StandardOutput;
            output.TotalBytes.Should().Be(Size);
            output.IsTruncated.Should().BeTrue();
            output.Bytes.Length.Should().Be(Limit);
            output.Text.Should().HaveLength(Limit, "the text has a character for each kept byte");
        });
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void SpillFile_BeyondTheLimitOfFileSizes_IsAnErrorOfThatRunAlone() =>
        Guard.Run(() => HostProcess.Play("file-size-limit"));

    private static bool IsDelivery => Thread.CurrentThread.Name == "ProcessRunner delivery";

    private static void ShouldSpillForItsOwner()
    {
        string[] others = [.. StreamingSupport.SpillDescriptors];
        CapturedOutput output = s_command.Run().StandardOutput;
        output.IsSpilled.Should().BeTrue();
        string descriptor = StreamingSupport.SpillDescriptors.Except(others).Should().ContainSingle().Subject;
        File.GetUnixFileMode(descriptor).Should().Be(Owner);
        output.Release();
    }

    // Gets the names that are created in a directory while it is the directory for temporary files.
    private static string[] NamesMadeIn(string directory, Action action)
    {
        const string Last = "last";
        ConcurrentQueue<string> names = new();
        using ManualResetEventSlim isAtEnd = new();
        using FileSystemWatcher watcher = new(directory);
        watcher.Created += (_, change) =>
        {
            names.Enqueue(change.Name!);
            if (change.Name == Last)
            {
                isAtEnd.Set();
            }
        };
        watcher.EnableRaisingEvents = true;
        In(directory, action);
        File.WriteAllText(Path.Combine(directory, Last), "");
        isAtEnd.Wait();
        File.Delete(Path.Combine(directory, Last));
        return [.. names.Where(name => name != Last)];
    }

    private static void In(string temporaryDirectory, Action action)
    {
        string? before = Environment.GetEnvironmentVariable("TMPDIR");
        Environment.SetEnvironmentVariable("TMPDIR", temporaryDirectory);
        try
        {
            action();
        }
        finally
        {
            Environment.SetEnvironmentVariable("TMPDIR", before);
        }
    }
}
