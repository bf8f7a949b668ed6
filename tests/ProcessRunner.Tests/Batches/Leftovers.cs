using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies that a batch leaves no child, no zombie and no descriptor of the kinds that the library opens. Only for
/// tests without parallel tests. The kernel tells it in /proc: elsewhere the library's own count is the witness.
/// </summary>
internal sealed class Leftovers
{
    private readonly int _descriptors = CountDescriptors();

    /// <summary>Verifies at once that no child is left, because the enumeration has ended.</summary>
    public static void OfChildrenAreNone(ProcessEngine engine)
    {
        engine.LiveChildren.Should().Be(0);
        if (OperatingSystem.IsLinux())
        {
            ProcFs.Children.Should().BeEmpty();
        }
    }

    /// <summary>
    /// Verifies that no descriptor is left. The engine has been disposed, or is the warm shared engine.
    /// </summary>
    public void OfDescriptorsAreNone() =>
        Eventually.Is(() => CountDescriptors() <= _descriptors, "the pipes, pidfds and epolls are closed");

    // Files are excluded, because the runtime opens files of its own at any time.
    private static int CountDescriptors() => Targets().Count(target =>
        target.StartsWith("pipe:", StringComparison.Ordinal)
            || target.StartsWith("anon_inode:", StringComparison.Ordinal)
        || target.StartsWith("/dev/null", StringComparison.Ordinal));

    private static IEnumerable<string> Targets() => OperatingSystem.IsLinux()
        ? new DirectoryInfo("/proc/self/fd").EnumerateFiles().Select(entry => entry.LinkTarget).OfType<string>()
        : [];
}
