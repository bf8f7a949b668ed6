using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Represents xUnit's framework with two additions: the switches of <see cref="Switches"/> are set before the first
/// test, and tests that do not hold on this platform are skipped (<see cref="HoldsOnlyAttribute"/>). Every runner of an
/// assembly with this framework has them, <c>dotnet test</c> as well as <c>ProcessRunner.SuiteRunner</c>.
/// </summary>
public sealed class SuiteFramework : XunitTestFramework
{
    public const string TypeName = "ProcessRunner.TestSupport.Platforms." + nameof(SuiteFramework);
    public const string AssemblyName = "ProcessRunner.TestSupport";

    public SuiteFramework(IMessageSink messages)
        : base(messages) => Switches.Set();

    /// <summary>Gets the reasons why a test does not hold on a platform; none if it does.</summary>
    public static IEnumerable<string> Obstacles(MethodInfo method, Platform platform) =>
        method.GetCustomAttributes<HoldsOnlyAttribute>()
            .Concat(method.ReflectedType!.GetCustomAttributes<HoldsOnlyAttribute>())
            .Where(attribute => !attribute.HoldsOn(platform))
            .Select(attribute => attribute.Reason);

    protected override ITestFrameworkExecutor CreateExecutor(AssemblyName assemblyName) =>
        new Executor(assemblyName, SourceInformationProvider, DiagnosticMessageSink);

    private sealed class Executor(AssemblyName name, ISourceInformationProvider sources, IMessageSink diagnostics)
        : XunitTestFrameworkExecutor(name, sources, diagnostics)
    {
        private static readonly PropertyInfo s_skipReason =
            typeof(TestMethodTestCase).GetProperty(nameof(TestMethodTestCase.SkipReason))!;

        protected override void RunTestCases(
            IEnumerable<IXunitTestCase> testCases, IMessageSink messages, ITestFrameworkExecutionOptions options)
        {
            List<IXunitTestCase> all = [.. testCases];
            foreach (IXunitTestCase testCase in all)
            {
                if (Obstacles(testCase.TestMethod.Method.ToRuntimeMethod(), Platform.Current).FirstOrDefault()
                    is { } reason)
                {
                    // A test case has no public way to be skipped later than by its Fact.
                    s_skipReason.SetValue(testCase, reason);
                }
            }

            base.RunTestCases(all, messages, options);
        }
    }
}
