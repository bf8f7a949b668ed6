using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Design;

/// <summary>
/// Verifies rules for the sources: the length of lines everywhere, the names of the tests and, in the library,
/// forbidden text and the dependencies of each part.
/// </summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class SourceRuleTests
{
    private const int LongestFile = 400;
    private const int LongestLine = 120;

    [Theory]
    [InlineData(@"\bTask\.Run\b")]
    [InlineData(@"\bTask\.Factory\b")]
    [InlineData(@"\bParallel\.")]
    [InlineData(@"\bnew Timer\b")]
    [InlineData(@"\bThreading\.Timer\b")]
    [InlineData(@"\bPeriodicTimer\b")]
    [InlineData(@"\bCancelAfter\b")]
    [InlineData(@"\bTask\.Delay\b")]
    [InlineData(@"\bDllImport\(")]
    [InlineData(@"\bDllImportAttribute\b")]
    [InlineData(@"\bDateTime\.(Utc)?Now\b")]
    [InlineData(@"\bDateTimeOffset\.Now\b")]
    [InlineData(@"\bConsole\.")]
    [InlineData(@"\bDiagnostics\.Process\b")]
    public void Code_OfTheLibrary_NeverUses(string pattern) =>
        Offences(Repository.Sources(), pattern).Should().BeEmpty();

    [Fact]
    public void ThreadPool_IsAskedForItsLimitByTheBlockingWaitAlone()
    {
        Offences(Outside("Execution/BlockingWait.cs"), @"\bThreadPool\.").Should().BeEmpty();
        Offences(Repository.Sources(), @"\bThreadPool\.(?!GetMaxThreads\(|ThreadCount\b)").Should().BeEmpty();
    }

    [Theory]
    [InlineData("TODO")]
    [InlineData("FIXME")]
    [InlineData("HACK")]
    [InlineData("#region")]
    public void Text_OfTheLibrary_NeverSays(string text) =>
        Repository.Sources()
            .SelectMany(source => Repository.Lines(source)
                .Where(line => line.Contains(text, StringComparison.Ordinal))
                .Select(line => $"{source}: {line}"))
            .Should().BeEmpty();

    [Fact]
    public void Warning_SwitchedOff_SaysWhy() =>
        Offences(Repository.Sources(), @"#pragma warning disable [^/]*$|\bSuppressMessage\b(?!.*Justification)")
            .Should().BeEmpty();

    [Fact]
    public void Sleep_IsForRetriesAlone() =>
        Offences(Outside("Execution/StartRetry.cs", "Backends/Primitives/MemoryRetry.cs"), @"\bThread\.Sleep\b")
            .Should().BeEmpty();

    [Fact]
    public void Time_AndChance_ComeFromOnePlace() =>
        Offences(
            Outside("Backends/Primitives/Surroundings.cs", "Backends/Linux/"),
            @"\bGetTimestamp\(|\bDateTimeOffset\.UtcNow\b|\bRandom\.|\bTickCount")
            .Should().BeEmpty();

    [Fact]
    public void Interop_IsUsedByTheNativeBackendsAlone()
    {
        Offences(
            Outside(
                "Interop/", "Backends/Linux/", "Backends/Windows/", "Backends/Portable/UnixSignal.cs",
                "Backends/Starts/OwnConsole.cs"),
            @"ProcessRunner\.Interop\b|\bLibraryImport\b")
            .Should().BeEmpty();
        Offences(Outside("Interop/", "Backends/Linux/"), @"\bLibC\.|\bErrno\.").Should().BeEmpty();
        Offences(
            Outside("Interop/", "Backends/Windows/", "Backends/Starts/OwnConsole.cs"),
            @"\bKernel32\.|\bNtDll\.|\bUser32\.|\bWin32Error\.")
            .Should().BeEmpty();
    }

    [Fact]
    public void LinuxBackend_IsNamedByTheOneFactoryAlone() =>
        Offences(
            Outside("Backends/Linux/", "Backends/ProcessBackend.cs"),
            @"Backends\.Linux\b|\bLinuxBackend\b|\bLinuxChild\b|\bEpollReactor\b")
            .Should().BeEmpty();

    [Fact]
    public void WindowsBackend_IsNamedByTheOneFactoryAlone() =>
        Offences(
            Outside("Backends/Windows/", "Backends/ProcessBackend.cs"),
            @"Backends\.Windows\b|\bWindowsBackend\b|\bWindowsChild\b|\bCompletionReactor\b")
            .Should().BeEmpty();

    [Theory]
    [InlineData("Execution")]
    [InlineData("Streams")]
    public void Execution_AndStreams_NameNoOperatingSystem(string directory) =>
        Offences(
            Repository.Sources(directory),
            @"\bLinux|\bWindows|\bOperatingSystem\.|\bOSPlatform\b|\bPosixSpawn\b|\bPidFd\b|\bepoll",
            RegexOptions.IgnoreCase)
            .Should().BeEmpty();

    [Theory]
    [InlineData("Backends")]
    [InlineData("Interop")]
    [InlineData("Faults")]
    public void Parts_BelowTheSeam_NameNoPublicType(string directory)
    {
        string types = string.Join('|', typeof(ProcessCommand).Assembly.GetExportedTypes().Select(type => type.Name));
        Offences(Repository.Sources(directory), $@"\b({types})\b").Should().BeEmpty();
    }

    [Fact]
    public void StepOfALaunch_HasTheNameAndValueOfThePublicOne() =>
        Enum.GetValues<LaunchStep>().Select(step => (Name: $"{step}", Value: (int)step))
            .Should().Equal(Enum.GetValues<ProcessStartStep>().Select(step => (Name: $"{step}", Value: (int)step)));

    [Fact]
    public void Thread_IsMadeInOnePlace() =>
        Offences(Outside("Backends/Primitives/OwnThread.cs"), @"\bnew Thread\(|\bThread \w+ = new\(")
            .Should().BeEmpty();

    [Fact]
    public void Buffer_IsMadeInOnePlace() =>
        Offences(
            Outside("Backends/Primitives/Buffers.cs", "CapturedOutput.cs"),
            @"\bnew (byte|char)\[\w|\bAllocateUninitializedArray\b|\bArrayPool<byte>")
            .Should().BeEmpty();

    [Theory]
    [InlineData("benchmarks")]
    [InlineData("build")]
    [InlineData("samples")]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("tools")]
    public void File_IsNeverLongerThanItMayBe(string directory) =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, directory), "*.cs", SearchOption.AllDirectories)
            .Where(path => File.ReadLines(path).Count() > LongestFile)
            .Should().BeEmpty();

    [Theory]
    [InlineData("benchmarks")]
    [InlineData("build")]
    [InlineData("samples")]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("tools")]
    public void Line_IsNeverLongerThanItMayBe(string directory) =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, directory), "*.cs", SearchOption.AllDirectories)
            .SelectMany(path => File.ReadLines(path)
                .Select((line, index) => (line.Length, Place: $"{path}:{index + 1}")))
            .Where(line => line.Length > LongestLine)
            .Select(line => line.Place)
            .Should().BeEmpty();

    [Fact]
    public void Prose_IsNeverWiderThanItMayBe() =>
        Directory.EnumerateFiles(Repository.Root, "*.md")
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md"))
            .Concat(((string[])["benchmarks", "samples", "tests", "tools"]).SelectMany(directory =>
                Directory.EnumerateFiles(
                    Path.Combine(Repository.Root, directory), "README.md", SearchOption.AllDirectories)))
            .SelectMany(path => WideLines(path).Select(line => $"{path}: {line}"))
            .Should().BeEmpty();

    // The build refuses other line ends (IDE0055), and Git for Windows makes some unless the repository says otherwise.
    [Fact]
    public void LineEnds_OfAClone_AreThoseThatTheBuildTakes()
    {
        Repository.Read(".editorconfig").Should().Contain("\nend_of_line = lf\n");
        Repository.Read(".gitattributes").Split('\n').Should().Contain(["* text=auto eol=lf", "*.png binary"]);
    }

    // A member that another one calls with a lock held says so, and checks it in debug builds.
    [Theory]
    [InlineData("Execution")]
    [InlineData("Streams")]
    public void Member_ThatRequiresAGate_AssertsIt(string directory) =>
        Repository.Sources(directory)
            .SelectMany(source => Repository.Lines(source)
                .Select((line, index) => (Line: line, Index: index))
                .Where(line => line.Line.Contains("equires the gate.", StringComparison.Ordinal))
                .Where(line => !Repository.Lines(source).Skip(line.Index + 1).Take(14)
                    .Any(code => Regex.IsMatch(code, @"\bAssert(Gate|Held)\(|=> SetOutcome\(")))
                .Select(line => $"{source}: {line.Line.Trim()}"))
            .Should().BeEmpty();

    [Fact]
    public void State_OfTheProcess_HasAnOwnerInTheArchitecture()
    {
        string[] owners =
        [
            .. Repository.Read("ARCHITECTURE.md").Split('\n')
                .SkipWhile(line => line != "| type | owns | guarded by |").Skip(2)
                .TakeWhile(line => line.StartsWith('|'))
                .SelectMany(line => Regex.Matches(line.Split('|')[1], "`(\\w+)`"))
                .Select(match => match.Groups[1].Value),
        ];
        Type[] types = typeof(ProcessCommand).Assembly.GetTypes();
        owners.Should().OnlyHaveUniqueItems().And.BeSubsetOf(types.Select(type => type.Name));
        types.SelectMany(type => type.GetFields(
                BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            .Where(field => !field.Name.Contains('<') && !field.DeclaringType!.Name.Contains('<'))
            .Where(field => field is { IsLiteral: false, IsInitOnly: false } || field.Name == "s_gate")
            .Select(field => field.DeclaringType!.Name)
            .Distinct()
            .Should().BeSubsetOf(owners);
    }

    [Fact]
    public void TestType_HasANameOfItsOwn() =>
        Assembly.GetExecutingAssembly().GetTypes()
            .Where(type => !type.IsNested && type.FullName!.StartsWith("ProcessRunner.", StringComparison.Ordinal))
            .GroupBy(type => type.Name)
            .Where(types => types.Count() > 1)
            .SelectMany(types => types.Select(type => type.FullName))
            .Should().BeEmpty();

    [Fact]
    public void PublicType_HasAFileOfItsNameAtTheTop()
    {
        // A part of a large type has a file of its own, Type.Part.cs, and so has a generic form, Type.Typed.cs.
        string[] files =
        [
            .. Repository.Sources()
                .Where(source => !source.Contains('/'))
                .Select(source => $"{source.Split('.')[0]}.cs")
                .Distinct(),
        ];
        string[] types =
        [
            .. typeof(ProcessCommand).Assembly.GetExportedTypes()
                .Select(type => $"{type.Name.Split('`')[0]}.cs")
                .Distinct(),
        ];
        types.Should().BeEquivalentTo(files, "the top folder holds the public types, one per file, and nothing else");
    }

    [Fact]
    public void PublicType_IsInTheOneNamespaceAndClosedToOthers() =>
        typeof(ProcessCommand).Assembly.GetExportedTypes()
            .Should().OnlyContain(
                type => type.Namespace == "ProcessRunner"
                    && (type.IsSealed || type == typeof(BatchItem) || HasNoConstructorForOthers(type)),
                "only a record with a derived type, as BatchItem is, cannot be closed");

    [Fact]
    public void Library_RefersToTheFrameworkAlone() =>
        typeof(ProcessCommand).Assembly.GetReferencedAssemblies()
            .Should().OnlyContain(
                name => File.Exists(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), $"{name.Name}.dll")));

    private static bool HasNoConstructorForOthers(Type type) =>
        Array.TrueForAll(
            type.GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic),
            constructor => constructor.IsPrivate || constructor.IsAssembly || constructor.IsFamilyAndAssembly);

    // Tables and code have no other form.
    private static IEnumerable<string> WideLines(string path)
    {
        bool isCode = false;
        foreach (string line in File.ReadLines(path))
        {
            isCode ^= line.StartsWith("```", StringComparison.Ordinal);
            if (line.Length > LongestLine && !isCode && !line.StartsWith('|'))
            {
                yield return line;
            }
        }
    }

    private static IEnumerable<string> Outside(params string[] places) =>
        Repository.Sources().Where(source => !places.Any(place => source.StartsWith(place, StringComparison.Ordinal)));

    // Comments may mention things that the code must not do.
    private static List<string> Offences(
        IEnumerable<string> sources, string pattern, RegexOptions options = RegexOptions.None) =>
        [.. sources.SelectMany(source => Repository.Lines(source)
            .Where(line =>
                !line.TrimStart().StartsWith("//", StringComparison.Ordinal) && Regex.IsMatch(line, pattern, options))
            .Select(line => $"{source}: {line.Trim()}"))];
}
