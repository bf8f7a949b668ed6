using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux;

/// <summary>
/// Verifies what is left in the control groups of a process, with directories of files in their place.
/// </summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class ControlGroupsTests
{
    [Fact]
    public void Memory_OfVersion2_IncludesTheFilesThatTheKernelGivesBack()
    {
        using TemporaryDirectory root = new();
        Group(
            root,
            "a",
            ("memory.max", "1000\n"),
            ("memory.current", "900\n"),
            ("memory.stat", "anon 1\ninactive_file 700\n"));
        new ControlGroups("0::/a\n", root).Memory.Should().Be(800);
    }

    [Fact]
    public void Memory_OfVersion1_IsRead()
    {
        using TemporaryDirectory root = new();
        Group(
            root,
            "memory/a",
            ("memory.limit_in_bytes", "1000\n"),
            ("memory.usage_in_bytes", "900\n"),
            ("memory.stat", "inactive_file 5\ntotal_inactive_file 300\n"));
        new ControlGroups("5:cpu,cpuacct:/b\n4:memory:/a\n0::/c\n", root).Memory.Should().Be(400);
    }

    [Fact]
    public void Memory_OfTheGroupAbove_Counts()
    {
        using TemporaryDirectory root = new();
        Group(root, "a", ("memory.max", "1000\n"), ("memory.current", "990\n"));
        Group(root, "a/b", ("memory.max", "max\n"), ("memory.current", "10\n"));
        Group(root, "a/b/c", ("memory.max", "500\n"), ("memory.current", "10\n"));
        new ControlGroups("0::/a/b/c\n", root).Memory.Should().Be(10);
    }

    // A container may see its own group as the mount, and its path as that of the host or above the mount.
    [Theory]
    [InlineData("/")]
    [InlineData("/docker/0123")]
    [InlineData("/../other")]
    public void Memory_OfTheMountItself_Counts(string path)
    {
        using TemporaryDirectory root = new();
        Group(root, "memory", ("memory.limit_in_bytes", "1000\n"), ("memory.usage_in_bytes", "1200\n"));
        new ControlGroups($"4:memory:{path}\n", root).Memory.Should().Be(0);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0::/a\n")]
    [InlineData("0::/none\n4:memory:/none\n")]
    public void Limit_ThatCannotBeRead_DoesNotCount(string membership)
    {
        using TemporaryDirectory root = new();
        Group(root, "a", ("memory.max", "max\n"), ("memory.current", "10\n"), ("pids.max", "10\n"));
        ControlGroups groups = new(membership, root);
        (groups.Memory, groups.Processes).Should().Be((long.MaxValue, long.MaxValue));
    }

    [Theory]
    [InlineData("0::/a/b\n", "")]
    [InlineData("3:pids:/a/b\n", "pids/")]
    public void Processes_OfBothVersions_AreCounted(string membership, string mount)
    {
        using TemporaryDirectory root = new();
        Group(root, $"{mount}a", ("pids.max", "100\n"), ("pids.current", "97\n"));
        Group(root, $"{mount}a/b", ("pids.max", "100\n"), ("pids.current", "5\n"));
        new ControlGroups(membership, root).Processes.Should().Be(3);
    }

    private static void Group(TemporaryDirectory root, string path, params (string Name, string Text)[] files)
    {
        root.Folder(path);
        foreach ((string name, string text) in files)
        {
            root.File($"{path}/{name}", text);
        }
    }
}
