using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.ChildEnvironment;

public sealed class EnvironmentVariableTests
{
    private static readonly ProcessCommand s_printAll = TestPrograms.Quick("env-0");

    // If descendants are left alone, the child is not marked either.
    private static readonly ProcessCommand s_printNothingElse =
        s_printAll with { InheritEnvironment = false, Descendants = DescendantPolicy.Leave };

    [Fact]
    public void Variable_OfTheCaller_IsInherited() => Guard.Run(() =>
        Variables(s_printAll)["PATH"].Should().Be(Environment.GetEnvironmentVariable("PATH")));

    [Fact]
    public void Variable_SetInTheCallerAtRunTime_ReachesTheChild() => Guard.Run(() =>
    {
        string name = UniqueName();
        Environment.SetEnvironmentVariable(name, "first");
        Variables(s_printAll)[name].Should().Be("first");
        Environment.SetEnvironmentVariable(name, "second");
        Variables(s_printAll)[name].Should().Be("second");
        Environment.SetEnvironmentVariable(name, null);
        Variables(s_printAll).Should().NotContainKey(name);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the Linux backend itself")]
    public void Environment_ThatHasNotChanged_IsComposedOnce() => Guard.Run(() =>
    {
        string name = UniqueName();
        Environment.SetEnvironmentVariable(name, "first");

        // Other tests set variables of their own meanwhile.
        Eventually.Is(() => ReferenceEquals(LinuxEnvironment.Take(), LinuxEnvironment.Take()), "it is the same one");
        LinuxEnvironment first = LinuxEnvironment.Take();
        Environment.SetEnvironmentVariable(name, "second");
        LinuxEnvironment.Take().Should().NotBeSameAs(first);
        Environment.SetEnvironmentVariable(name, null);
    });

    [Fact]
    public void Environment_TakenOnce_IsThatOfTheFirstStartForRunsAndBatches() => Guard.Run(() =>
    {
        string name = UniqueName();
        Dictionary<string, string?> changes = new() { [UniqueName()] = "of the command" };
        using ProcessEngine engine = new(new ProcessEngineOptions { TakeEnvironmentOnce = true });
        Environment.SetEnvironmentVariable(name, "first");
        Variables(s_printAll, engine)[name].Should().Be("first");
        Environment.SetEnvironmentVariable(name, "second");
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Variables(s_printAll, engine)[name].Should().Be("first");
        Variables(s_printAll)[name].Should().Be("second");
        Variables(s_printAll with { Environment = changes }, engine)[changes.Keys.Single()]
            .Should().Be("of the command");
        Variables(s_printNothingElse, engine).Should().BeEmpty();
        foreach (BatchResult result in ProcessBatch.Enumerate([s_printAll], new BatchOptions { Engine = engine }))
        {
            result.EnsureSuccess().StandardOutput.Text.Split('\0').Should().Contain($"{name}=first");
        }

        Environment.SetEnvironmentVariable(name, null);
    });

    [Fact]
    public void Environment_TakenOnce_OutlivesTheEngineForStartsThatAreUnderWay() => Guard.Run(() =>
    {
        for (int round = 0; round < 200; round++)
        {
            ProcessEngine engine = new(new ProcessEngineOptions { TakeEnvironmentOnce = true, ReactorCount = 1 });
            s_printAll.Run(engine);
            Exception? end = null;
            Thread starter = new(() =>
            {
                try
                {
                    while (true)
                    {
                        Variables(s_printAll, engine).Should().ContainKey("PATH");
                    }
                }
                catch (Exception exception)
                {
                    end = exception;
                }
            });
            starter.Start();
            Thread.SpinWait(round * 1000);
            engine.Dispose();
            GC.Collect();
            starter.Join();

            // The end of its engine can also kill the child.
            (end is ObjectDisposedException or ExitCodeException).Should().BeTrue("it ended by {0}", end);
        }
    });

    [Fact]
    public void Change_AddsReplacesAndUnsets() => Guard.Run(() =>
    {
        string inherited = UniqueName();
        string unset = UniqueName();
        string added = UniqueName();
        Environment.SetEnvironmentVariable(inherited, "the caller's");
        Environment.SetEnvironmentVariable(unset, "the caller's");
        Dictionary<string, string?> changes = new() { [inherited] = "changed", [unset] = null, [added] = "new" };
        Dictionary<string, string> variables = Variables(s_printAll with { Environment = changes });
        variables[inherited].Should().Be("changed");
        variables[added].Should().Be("new");
        variables.Should().NotContainKey(unset).And.ContainKey("PATH");
        Environment.GetEnvironmentVariable(inherited).Should().Be("the caller's");
        Environment.SetEnvironmentVariable(inherited, null);
        Environment.SetEnvironmentVariable(unset, null);
    });

    [Fact]
    [OnlyOn(Systems.Windows, "names of variables that ignore case")]
    public void Change_InAnotherCase_ReplacesTheVariable() => Guard.Run(() =>
    {
        string name = UniqueName();
        Environment.SetEnvironmentVariable(name, "the caller's");
        Dictionary<string, string?> changes = new() { [name.ToLowerInvariant()] = "changed" };
        Variables(s_printAll with { Environment = changes })[name].Should().Be("changed");
        Environment.SetEnvironmentVariable(name, null);
    });

    [Fact]
    public void UnsettingWhatIsNotThere_ChangesNothing() => Guard.Run(() =>
    {
        Dictionary<string, string?> changes = new() { [UniqueName()] = null };
        Variables(s_printAll with { Environment = changes }).Should().ContainKey("PATH");
    });

    [Fact]
    public void WithoutInheritance_TheChildHasNothing() => Guard.Run(() =>
        Variables(s_printNothingElse).Should().BeEmpty());

    [NativeBackend(".NET finds no descendants after the exit of a child, so they have no mark")]
    [OnlyOn(Systems.Linux, "a job of Windows finds descendants without a mark")]
    [Fact]
    public void Mark_OfAChild_IsItsOwnAndAllThatIsAdded() => Guard.Run(() =>
    {
        ProcessCommand marked = s_printNothingElse with { Descendants = DescendantPolicy.KillOnStop };
        KeyValuePair<string, string> first = Variables(marked).Should().ContainSingle().Which;
        KeyValuePair<string, string> second = Variables(marked).Should().ContainSingle().Which;
        first.Key.Should().Be("PROCESSRUNNER_CHILD").And.Be(second.Key);
        first.Value.Should().NotBe(second.Value);
    });

    [Fact]
    public void WithoutInheritance_TheChildHasTheChangesAlone() => Guard.Run(() =>
    {
        Dictionary<string, string?> changes = new() { ["A"] = "1", ["B"] = null };
        Variables(s_printNothingElse with { Environment = changes })
            .Should().Equal(new Dictionary<string, string> { ["A"] = "1" });
    });

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("a=b=c")]
    [InlineData("line\nline")]
    [InlineData("\"quoted\" 'quoted' \\")]
    [InlineData("ä€😀")]
    public void Value_OfAnyKind_IsExact(string value) => Guard.Run(() =>
    {
        Dictionary<string, string?> changes = new() { ["VALUE"] = value, ["näme with space"] = value };
        Dictionary<string, string> variables = Variables(s_printAll with { Environment = changes });
        variables["VALUE"].Should().Be(value);
        variables["näme with space"].Should().Be(value);
    });

    private static string UniqueName() => $"TEST_{Guid.NewGuid():N}";

    private static Dictionary<string, string> Variables(ProcessCommand command, ProcessEngine? engine = null) =>
        command.Run(engine).EnsureSuccess().StandardOutput.Text
            .Split('\0', StringSplitOptions.RemoveEmptyEntries)
            .Select(entry => entry.Split('=', 2))
            .Where(entry => !IsOfTheSystem(entry[0]))
            .ToDictionary(entry => entry[0], entry => entry[1], NamesOfTheSystem);

    // Windows names the variable Path, and finds it by any case.
    private static StringComparer NamesOfTheSystem =>
        OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    // Every child on Windows has SystemRoot, without which it cannot open a socket. Wine adds variables of its own.
    private static bool IsOfTheSystem(string name) => OperatingSystem.IsWindows()
        && (name is "SystemRoot" or "SystemDrive" || name.StartsWith("WINE", StringComparison.Ordinal));
}
