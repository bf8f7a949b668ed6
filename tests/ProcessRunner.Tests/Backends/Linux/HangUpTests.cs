using System;
using System.Reflection;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux;

/// <summary>
/// Verifies that the machine code of a signal handler matches its comments, for both processors, and that the addresses
/// are put where it looks for them. <c>HostEndTests</c> runs it.
/// </summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
public sealed class HangUpTests
{
    [Theory]
    [ArchitectureData(Architecture.X64, "as", "objcopy")]
    [ArchitectureData(Architecture.Arm64, "as", "objcopy")]
    public void Bytes_AreWhatTheAssemblerMakesOfTheComments(Architecture architecture) => Guard.Run(() =>
        Listing(architecture).Assemble().Should().Equal(Listing(architecture).Bytes));

    [Theory]
    [InlineData(Architecture.X64)]
    [InlineData(Architecture.Arm64)]
    public void Addresses_BelongWhereTheBytesAreZero(Architecture architecture)
    {
        byte[] zero = new byte[sizeof(long)];
        ReadOnlySpan<byte> bytes = Listing(architecture).Bytes;
        int first = bytes.IndexOf(zero);
        int second = first + zero.Length + bytes[(first + zero.Length)..].IndexOf(zero);
        Offset($"{architecture}HasCome").Should().Be(first);
        Offset($"{architecture}Next").Should().Be(second);
    }

    private static AssemblyListing Listing(Architecture architecture) =>
        new("Backends/Linux/HangUp.cs", architecture);

    private static int Offset(string name) => (int)typeof(HangUp)
        .GetField(name, BindingFlags.NonPublic | BindingFlags.Static)!.GetRawConstantValue()!;
}
