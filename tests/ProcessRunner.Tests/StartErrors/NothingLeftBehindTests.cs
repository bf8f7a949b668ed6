using System.Collections.Generic;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

[OnlyOn(Systems.Linux, "descriptors and /proc")]
[Collection(Alone.Name)]
public sealed class NothingLeftBehindTests
{
    [Fact]
    public void FailedStarts_OfEveryKind_LeaveNoDescriptorAndNoChild() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand[] failing =
        [
            new("no-such-program"),
            new("/no/such/program"),
            new("/usr/bin"),
            new(directory.File("plain")),
            new(directory.Program("text", "text")),
            new(directory.Program("script", "#!/no/such/interpreter\n")),
            new("/bin/true", new string('x', 128 * 1024)),
            new("/bin/true") { WorkingDirectory = "/no/such/directory" },
            new("/bin/true") { WorkingDirectory = "/bin/sh" },
        ];

        // The first round loads the code for the failures.
        FailAll(failing);
        int descriptors = ProcFs.OpenDescriptors;
        for (int i = 0; i < 20; i++)
        {
            FailAll(failing);
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
        ProcessEngine.Shared.LiveChildren.Should().Be(0);
        TestPrograms.Shell("echo works").Run().EnsureSuccess().StandardOutput.Text.Should().Be("works\n");
    });

    private static void FailAll(IEnumerable<ProcessCommand> commands)
    {
        foreach (ProcessCommand command in commands)
        {
            StartFailure.Of(command);
        }
    }
}
