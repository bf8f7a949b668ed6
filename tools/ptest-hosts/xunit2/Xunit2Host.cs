using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace PTest.Hosts;

/// <summary>Lists or runs tests by the xunit 2 of the test project.</summary>
internal static class Xunit2Host
{
    public static void Run(Job job, EventWriter events)
    {
        Assembly assembly = Assembly.Load(new AssemblyName(Path.GetFileNameWithoutExtension(job.Assembly)));
        IAssemblyInfo information = Reflector.Wrap(assembly);
        HostOptions options = new(job);
        using EventSink sink = new(events, options.GetValue<bool>(OptionValues.FailSkips));
        using TestFrameworkProxy framework = new(information, new NoSources(), sink);
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(information);
        List<ITestCase> cases = Discover(job, discoverer, options);
        if (job.IsListing)
        {
            bool isExclusive = job.IsExclusive || CaseFacts.ForbidsParallelRuns(information);
            cases.ForEach(test => CaseFacts.Write(test, isExclusive, events));
            return;
        }

        events.Write("ready");
        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        executor.RunTests(cases, sink, options);
        sink.WaitForEnd();
    }

    private static List<ITestCase> Discover(Job job, ITestFrameworkDiscoverer discoverer, HostOptions options)
    {
        List<ITestCase> found = [];
        if (job.IsListing)
        {
            Find(found, sink => discoverer.Find(includeSourceInformation: false, sink, options));
        }

        foreach (string name in job.Classes)
        {
            Find(found, sink => discoverer.Find(name, includeSourceInformation: false, sink, options));
        }

        // Rows of equal data have one id, by which nothing can tell them apart. As in "dotnet test", the first runs.
        HashSet<string> ids = [];
        return
        [
            .. found.Where(test => job.Cases.Count == 0 || job.Cases.Contains(test.UniqueID))
                .Where(test => ids.Add(test.UniqueID)),
        ];
    }

    private static void Find(List<ITestCase> found, Action<IMessageSink> find)
    {
        using DiscoverySink sink = new(found);
        find(sink);
        sink.WaitForEnd();
    }
}
