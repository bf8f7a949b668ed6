using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Xunit;
using Xunit.Sdk;
using Xunit.v3;

namespace PTest.Hosts;

/// <summary>Lists or runs tests by the xunit v3 of the test project.</summary>
internal static class Xunit3Host
{
    public static void Run(Job job, EventWriter events) => RunAsync(job, events).GetAwaiter().GetResult();

    private static async Task RunAsync(Job job, EventWriter events)
    {
        Assembly assembly = Assembly.Load(new AssemblyName(Path.GetFileNameWithoutExtension(job.Assembly)));
        TestContext.SetForInitialization(null, diagnosticMessages: false, internalDiagnosticMessages: false);
        ITestPipelineStartup? startup = await StartAsync(assembly).ConfigureAwait(false);
        try
        {
            ITestFramework framework = ExtensibilityPointFactory.GetTestFramework(assembly);
            if (startup is not null)
            {
                framework.SetTestPipelineStartup(startup);
            }

            await RunAsync(job, events, assembly, framework).ConfigureAwait(false);
            await DisposeAsync(framework).ConfigureAwait(false);
        }
        finally
        {
            if (startup is not null)
            {
                await startup.StopAsync().ConfigureAwait(false);
            }
        }
    }

    private static async Task RunAsync(Job job, EventWriter events, Assembly assembly, ITestFramework framework)
    {
        HostOptions options = new(job);
        List<ITestCase> cases = await DiscoverAsync(job, assembly, framework, options).ConfigureAwait(false);
        if (job.IsListing)
        {
            bool isExclusive = job.IsExclusive || CaseFacts.ForbidsParallelRuns(assembly);
            cases.ForEach(test => CaseFacts.Write(test, isExclusive, events));
        }
        else
        {
            CaseIds ids = new(job, cases.Select(test => (test.UniqueID, CaseFacts.MethodOf(test))));
            ITestCase[] wanted = [.. cases.Where(test => ids.IsWanted(test.UniqueID))];
            events.Write(EventNames.Ready);
            using EventSink sink = new(events, ids, wanted, options.GetValue<bool>(OptionValues.FailSkips));
            await framework.GetExecutor(assembly)
                .RunTestCases(wanted, sink, options, CancellationToken.None)
                .ConfigureAwait(false);
        }

        foreach (ITestCase test in cases)
        {
            await DisposeAsync(test).ConfigureAwait(false);
        }
    }

    private static async Task<List<ITestCase>> DiscoverAsync(
        Job job, Assembly assembly, ITestFramework framework, HostOptions options)
    {
        List<ITestCase> found = [];

        // Rows of equal data have one id, by which nothing can tell them apart. As in "dotnet test", the first runs.
        HashSet<string> ids = [];
        Type[]? classes = job.Classes.Count == 0 ? null
            : [.. job.Classes.Select(name => assembly.GetType(name)).OfType<Type>()];
        await framework.GetDiscoverer(assembly).Find(
            test =>
            {
                if (ids.Add(test.UniqueID))
                {
                    found.Add(test);
                }

                return new ValueTask<bool>(true);
            },
            options,
            classes,
            CancellationToken.None).ConfigureAwait(false);
        return found;
    }

    private static async Task<ITestPipelineStartup?> StartAsync(Assembly assembly)
    {
        ITestPipelineStartupAttribute? attribute =
            assembly.GetCustomAttributes().OfType<ITestPipelineStartupAttribute>().FirstOrDefault();
        if (attribute is null)
        {
            return null;
        }

        ITestPipelineStartup startup =
            (ITestPipelineStartup)Activator.CreateInstance(attribute.TestPipelineStartupType)!;
        await startup.StartAsync(NullMessageSink.Instance).ConfigureAwait(false);
        return startup;
    }

    private static async ValueTask DisposeAsync(object value)
    {
        if (value is IAsyncDisposable asynchronous)
        {
            await asynchronous.DisposeAsync().ConfigureAwait(false);
        }
        else
        {
            (value as IDisposable)?.Dispose();
        }
    }
}
