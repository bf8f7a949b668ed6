using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Text;
using Xunit;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Writes the platform tables from the attributes of the tests (<see cref="HoldsOnlyAttribute"/>): for
/// <c>tests/README.md</c>, which subjects the tests hold on which platforms, and why not on all; for the README, the
/// share of the tests.
/// </summary>
public static class PlatformTable
{
    // A share that changes with every new test would be no summary.
    private const int ShareStep = 5;

    /// <summary>Writes the share of an assembly's tests that hold on each platform, rounded down.</summary>
    public static string Summary(Assembly assembly)
    {
        MethodInfo[] tests = Tests(assembly);
        IEnumerable<string> shares = Platform.All.Select(platform =>
            $"{100 * tests.Count(test => Holds(test, platform)) / tests.Length / ShareStep * ShareStep} %");
        return $"{Header("")}| tests that apply | {string.Join(" | ", shares)} |\n";
    }

    /// <summary>Writes the table for the tests of an assembly. A subject is a namespace.</summary>
    public static string Of(Assembly assembly)
    {
        MethodInfo[] tests = Tests(assembly);
        StringBuilder text = new(Header("subject "));
        foreach (IGrouping<string, MethodInfo> subject in tests.GroupBy(Subject).OrderBy(group => group.Key))
        {
            IEnumerable<string> cells = Platform.All.Select(platform => Share(subject, platform));
            text.Append($"| {subject.Key} | {string.Join(" | ", cells)} |\n");
        }

        text.Append("\n| holds only on | because it needs, or | subjects |\n|---|---|---|\n");
        foreach (IGrouping<(string Where, string Reason), string> row in tests
            .SelectMany(test => Attributes(test).Select(one => (Key: (Where(one), one.Reason), Subject: Subject(test))))
            .GroupBy(one => one.Key, one => one.Subject)
            .OrderBy(group => group.Key.Item1).ThenBy(group => group.Key.Reason))
        {
            string subjects = string.Join(", ", row.Distinct().Order());
            text.Append($"| {row.Key.Where} | {row.Key.Reason} | {subjects} |\n");
        }

        return text.ToString();
    }

    private static MethodInfo[] Tests(Assembly assembly) =>
    [
        .. assembly.GetTypes().SelectMany(type => type.GetMethods())
            .Where(method => method.GetCustomAttribute<FactAttribute>() is not null),
    ];

    private static string Header(string first) =>
        $"| {first}| {string.Join(" | ", Platform.All.Select(platform => platform.Name))} |\n"
        + $"|---|{string.Concat(Platform.All.Select(_ => "---|"))}\n";

    private static bool Holds(MethodInfo test, Platform platform) => !SuiteFramework.Obstacles(test, platform).Any();

    private static string Share(IEnumerable<MethodInfo> tests, Platform platform)
    {
        int count = tests.Count();
        int held = tests.Count(test => Holds(test, platform));
        return held == count ? "all" : held == 0 ? "–" : 2 * held >= count ? "most" : "some";
    }

    private static IEnumerable<HoldsOnlyAttribute> Attributes(MethodInfo test) =>
        test.GetCustomAttributes<HoldsOnlyAttribute>()
            .Concat(test.ReflectedType!.GetCustomAttributes<HoldsOnlyAttribute>());

    private static string Where(HoldsOnlyAttribute attribute) =>
        attribute.Trait.Name switch
        {
            "Backend" => "native backends",
            "Wine" => "all but Wine",
            _ => attribute.Trait.Value,
        };

    // ProcessRunner.Tests.Streams.Capture is "Streams".
    private static string Subject(MethodInfo test) => test.ReflectedType!.Namespace!.Split('.')[2];
}
