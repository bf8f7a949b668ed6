using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Start;

/// <summary>
/// Verifies that the machine code of a start matches its comments, for both processors, and finds the data that it
/// looks for.
/// </summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[SupportedOSPlatform("linux")]
[NativeBackend("the Linux backend itself")]
public sealed unsafe class CloneCodeTests
{
    [Theory]
    [InlineData(nameof(CloneCode.Frame.Blocked), 0)]
    [InlineData(nameof(CloneCode.Frame.BlockedBefore), 8)]
    [InlineData(nameof(CloneCode.Frame.Flags), 16)]
    [InlineData(nameof(CloneCode.Frame.Result), 24)]
    [InlineData(nameof(CloneCode.Frame.PidFd), 32)]
    [InlineData(nameof(CloneCode.Frame.Error), 36)]
    [InlineData(nameof(CloneCode.Frame.Failed), 40)]
    [InlineData(nameof(CloneCode.Frame.Calls), 48)]
    [InlineData(nameof(CloneCode.Frame.HasBegun), 56)]
    public void Frame_LiesWhereTheCodeLooks(string field, int offset) =>
        Marshal.OffsetOf<CloneCode.Frame>(field).Should().Be(offset);

    [Fact]
    public void SystemCalls_LieOneAfterTheOtherInFiveWords()
    {
        sizeof(SystemCall).Should().Be(40);
        typeof(SystemCall).GetFields(BindingFlags.Instance | BindingFlags.NonPublic).Select(field => field.Name)
            .Should().Equal("_number", "_first", "_second", "_third", "_fourth");
    }

    [Theory]
    [ArchitectureData(Architecture.X64, "as", "objcopy")]
    [ArchitectureData(Architecture.Arm64, "as", "objcopy")]
    public void Bytes_AreWhatTheAssemblerMakesOfTheComments(Architecture architecture) => Guard.Run(() =>
        Listing(architecture).Assemble().Should().Equal(Listing(architecture).Bytes));

    [Theory]
    [ArchitectureData(Architecture.X64, "objdump")]
    [ArchitectureData(Architecture.Arm64, "objdump")]
    public void Bytes_AreForTheDisassemblerWhatTheCommentsSay(Architecture architecture) => Guard.Run(() =>
        Listing(architecture).Disassemble().Should().Equal(Listing(architecture).Instructions));

    // The code may be missing in the test's process: a variable selects posix_spawn.
    [Fact]
    public void Code_InMemory_IsThatOfThisProcessor()
    {
        byte[] bytes = Listing(RuntimeInformation.ProcessArchitecture).Bytes;
        if (CloneCode.Address is not null)
        {
            new ReadOnlySpan<byte>(CloneCode.Address, bytes.Length).ToArray().Should().Equal(bytes);
            ((byte*)CloneCode.Address)[bytes.Length].Should().Be(0, "there is no code beyond the lines");
        }
    }

    // If the kernel requires a mark at the target of an indirect call, the code has it.
    [Theory]
    [InlineData(Architecture.X64, "endbr64")]
    [InlineData(Architecture.Arm64, "bti c")]
    public void Code_BeginsAsTheTargetOfACall(Architecture architecture, string mark) =>
        Listing(architecture).Instructions.First().Should().Be(mark);

    [Fact]
    public void Code_HasAName_WhereTheKernelGivesThem()
    {
        const string Name = "ProcessRunner start";
        void* page = LibC.Map(
            null, (nuint)Environment.SystemPageSize, LibC.PROT_READ, LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS, -1, 0);
        bool areGiven = LibC.SetName(page, (nuint)Environment.SystemPageSize, Name) == 0;
        LibC.Unmap(page, (nuint)Environment.SystemPageSize).Should().Be(0);
        if (CloneCode.Address is not null)
        {
            // The kernel joins neighbouring mappings that have the same rights and name.
            string mapping = File.ReadLines("/proc/self/maps").Single(line => Contains(line, (nint)CloneCode.Address));
            mapping.Should().Contain(" r-xp ").And.EndWith(areGiven ? $"[anon:{Name}]" : " 0 ");
        }
    }

    // A line begins with the first address of the mapping and the one behind its last, in hexadecimal.
    private static bool Contains(string mapping, nint address)
    {
        nint[] range = [.. mapping.Split(' ')[0].Split('-').Select(number => (nint)ulong.Parse(
            number, NumberStyles.HexNumber, CultureInfo.InvariantCulture))];
        return address >= range[0] && address < range[1];
    }

    private static AssemblyListing Listing(Architecture architecture) =>
        new($"Backends/Linux/Start/CloneCode.{architecture}.cs", architecture);
}
