using System;
using System.IO;
using Xunit;

namespace ProcessRunner.HostileTests;

// The fixture takes what no other process can have at the same time, and the second test ends its process, if they are
// asked to.
public sealed class LockFixture : IDisposable
{
    private readonly FileStream? _file = IsAsked
        ? new FileStream(State.File("taken"), FileMode.OpenOrCreate, FileAccess.Write, FileShare.None)
        : null;

    public static bool IsAsked => Environment.GetEnvironmentVariable("HOSTILE_LOCK") is not null;

    public void Dispose() => _file?.Dispose();
}

[TestCaseOrderer("ProcessRunner.HostileTests.ByName", "ProcessRunner.HostileTests")]
public sealed class LockTests(LockFixture fixture) : IClassFixture<LockFixture>
{
    [Fact]
    public void First() => Assert.NotNull(fixture);

    [Fact]
    public void Second()
    {
        if (LockFixture.IsAsked)
        {
            Environment.Exit(0);
        }
    }

    [Fact]
    public void Third() => Assert.NotNull(fixture);
}
