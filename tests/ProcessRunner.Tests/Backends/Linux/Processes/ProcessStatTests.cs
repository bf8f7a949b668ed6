using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Processes;

/// <summary>Tests how a line of /proc/PID/stat is read.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class ProcessStatTests
{
    private const int StateField = 0;
    private const int FlagsField = 6;
    private const int StartCodeField = 23;
    private const string KernelThread = "2129984";

    [Fact]
    public void OwnLine_IsThatOfALiveProgram()
    {
        ProcessStat stat = Parse(Fields());
        (stat.IsLive, stat.IsInExec, stat.IsHalfMade, stat.IsKernelThread, stat.IsStopped)
            .Should().Be((true, false, false, false, false));
        stat.GroupId.Should().BePositive();
        stat.StartTime.Should().BePositive();
        stat.StartCode.Should().BePositive();
    }

    // The kernel publishes the new environment before the new code: without it the process seems to have no marks.
    [Fact]
    public void ProcessWithoutCode_IsInTheMiddleOfAnExec() =>
        Parse(Fields((StartCodeField, "0"))).IsInExec.Should().BeTrue();

    [Theory]
    [InlineData(StateField, "Z")]
    [InlineData(FlagsField, KernelThread)]
    public void ZombieAndKernelThread_WithoutCode_AreInNoExec(int field, string value) =>
        Parse(Fields((StartCodeField, "0"), (field, value))).IsInExec.Should().BeFalse();

    // The same line twice, since the number of threads of this process changes from one moment to the next.
    [Fact]
    public void NameWithParenthesesAndBlanks_ShiftsNoField()
    {
        string[] fields = Fields();
        Parse(fields, name: "a) Z (0 b").Should().Be(Parse(fields));
    }

    [Fact]
    public void CutLine_IsRefused()
    {
        byte[] line = Line(Fields().Take(StartCodeField), "name");
        ProcessStat.TryParse(line, out _).Should().BeFalse();
    }

    private static ProcessStat Parse(IEnumerable<string> fields, string name = "name")
    {
        ProcessStat.TryParse(Line(fields, name), out ProcessStat stat).Should().BeTrue();
        return stat;
    }

    private static byte[] Line(IEnumerable<string> fields, string name) =>
        Encoding.UTF8.GetBytes($"1 ({name}) {string.Join(' ', fields)}");

    // The fields of this process, as if it were running at the moment.
    private static string[] Fields(params (int Number, string Value)[] others)
    {
        string line = File.ReadAllText("/proc/self/stat").TrimEnd();
        string[] fields = line[(line.LastIndexOf(')') + 2)..].Split(' ');
        fields[StateField] = "R";
        foreach ((int number, string value) in others)
        {
            fields[number] = value;
        }

        return fields;
    }
}
