using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// What a batch must leave behind: no child, no zombie, and none of the kinds of descriptors that the library opens. Only for
/// tests beside which no other runs.
/// </summary>
internal sealed class Leftovers
{
    private readonly int _descriptors = CountDescriptors();

    /// <summary>At once, since the enumeration has ended.</summary>
    public static void OfChildrenAreNone(ProcessEngine engine)
    {
        engine.LiveChildren.Should().Be(0);
        ProcFs.Children.Should().BeEmpty();
    }

    /// <summary>Once the engine has been disposed, or if it is the shared one and was warm before.</summary>
    public void OfDescriptorsAreNone() =>
        Eventually.Is(() => CountDescriptors() <= _descriptors, "the pipes, pidfds and epolls are closed");

    // Files are left out: the runtime opens those of its own when it likes.
    private static int CountDescriptors() => Targets().Count(target =>
        target.StartsWith("pipe:", StringComparison.Ordinal) || target.StartsWith("anon_inode:", StringComparison.Ordinal)
        || target.StartsWith("/dev/null", StringComparison.Ordinal));

    private static IEnumerable<string> Targets() =>
        new DirectoryInfo("/proc/self/fd").EnumerateFiles().Select(entry => entry.LinkTarget).OfType<string>();
}
