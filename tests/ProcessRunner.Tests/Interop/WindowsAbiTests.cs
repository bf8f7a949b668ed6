using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;

namespace ProcessRunner.Tests.Interop;

/// <summary>
/// Verifies the numbers and structs that the library has copied from the headers of Windows against a compiler for
/// Windows.
/// </summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class WindowsAbiTests
{
    private const string Compiler = "x86_64-w64-mingw32-gcc";

    private static readonly Type[] s_types = [typeof(Kernel32), typeof(NtDll), typeof(User32), typeof(Win32Error)];

    // Those that lie in a struct of the struct.
    private static readonly Dictionary<string, string> s_nested = new()
    {
        ["JOBOBJECT_EXTENDED_LIMIT_INFORMATION.PerProcessUserTimeLimit"] =
            "BasicLimitInformation.PerProcessUserTimeLimit",
        ["JOBOBJECT_EXTENDED_LIMIT_INFORMATION.LimitFlags"] = "BasicLimitInformation.LimitFlags",
        ["JOBOBJECT_EXTENDED_LIMIT_INFORMATION.ActiveProcessLimit"] = "BasicLimitInformation.ActiveProcessLimit",
        ["JOBOBJECT_EXTENDED_LIMIT_INFORMATION.Affinity"] = "BasicLimitInformation.Affinity",
    };

    // Structs of which only the beginning is declared here.
    private static readonly Type[] s_beginnings = [typeof(Kernel32.JOBOBJECT_BASIC_PROCESS_ID_LIST)];

    [FactWithTool(Compiler)]
    public void ConstantsAndStructs_AreThoseOfTheHeaders() => Guard.Run(() =>
    {
        string[] facts = [.. s_types.SelectMany(Constants), .. s_types.SelectMany(Structs)];
        facts.Length.Should().BeGreaterThan(80);
        Compile(facts).Should().BeEmpty();
    });

    [FactWithTool(Compiler)]
    public void WrongFact_IsNoticed() => Guard.Run(
        () => Compile(["ERROR_FILE_NOT_FOUND == 3"]).Should().Contain("ERROR_FILE_NOT_FOUND == 3"));

    private static IEnumerable<string> Constants(Type type) =>
        type.GetFields(BindingFlags.Public | BindingFlags.Static)
            .Where(field => field.IsLiteral)
            .Select(field => $"{field.Name} == {Number(field.GetRawConstantValue() ?? field.GetValue(null)!)}LL");

    private static IEnumerable<string> Structs(Type type) =>
        type.GetNestedTypes().Where(nested => nested.IsValueType && !nested.IsEnum).SelectMany(Facts);

    private static IEnumerable<string> Facts(Type type)
    {
        if (!s_beginnings.Contains(type))
        {
            yield return $"sizeof({type.Name}) == {Marshal.SizeOf(type)}";
        }

        foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
        {
            yield return $"offsetof({type.Name}, {CName(type, field.Name)}) == {Marshal.OffsetOf(type, field.Name)}";
        }
    }

    private static string CName(Type type, string field) =>
        s_nested.TryGetValue($"{type.Name}.{field}", out string? nested) ? nested
        : type == typeof(Kernel32.STARTUPINFOEXW) && field != "lpAttributeList" ? $"StartupInfo.{field}"
        : field;

    private static string Number(object value) => string.Create(
        CultureInfo.InvariantCulture,
        $"{value switch { nint number => number, nuint number => (long)number, _ => Convert.ToInt64(value, null) }}");

    // Returns the complaints of the compiler. The headers of drivers do not go together with the others.
    private static string Compile(string[] facts)
    {
        using TemporaryDirectory directory = new();
        ILookup<bool, string> units =
            facts.ToLookup(fact => fact.StartsWith("FILE_PIPE_", StringComparison.Ordinal));
        string drivers = new ProcessCommand(Compiler, "-print-file-name=../include/ddk").Run().EnsureSuccess()
            .StandardOutput.Text.TrimEnd();
        string ofPrograms = directory.File("programs.c", Source(["windows.h", "winternl.h", "psapi.h"], units[false]));
        string ofDrivers = directory.File("drivers.c", Source(["ntifs.h"], units[true]));
        return Complaints("-c", "-D_WIN32_WINNT=0x0A00", "-o", directory.At("programs.o"), ofPrograms)
            + Complaints("-c", "-D_WIN32_WINNT=0x0A00", "-o", directory.At("drivers.o"), $"-I{drivers}", ofDrivers);
    }

    private static string Complaints(params string[] arguments) =>
        new ProcessCommand(Compiler, arguments).Run().StandardError.Text;

    private static string Source(string[] headers, IEnumerable<string> facts)
    {
        IEnumerable<string> includes = headers.Prepend("stddef.h").Select(header => $"#include <{header}>");
        IEnumerable<string> asserts = facts.Select(fact => $"_Static_assert((long long){fact}, \"{fact}\");");
        return string.Join('\n', [.. includes, .. asserts, ""]);
    }
}
