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
        using TestFrameworkProxy framework = new(information, new NoSources(), new NullMessageSink());
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(information);
        List<ITestCase> cases = Discover(job, discoverer, options);
        if (job.IsListing)
        {
            bool isExclusive = job.IsExclusive || CaseFacts.ForbidsParallelRuns(information);
            cases.ForEach(test => CaseFacts.Write(test, isExclusive, events));
            return;
        }

        OrderCollections(cases);
        CaseIds ids = new(job, cases.Select(test => (test.UniqueID, CaseFacts.MethodOf(test))));
        events.Write(EventNames.Ready);
        using EventSink sink = new(events, ids, options.GetValue<bool>(OptionValues.FailSkips));
        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        executor.RunTests(cases.Where(test => ids.IsWanted(test.UniqueID)), sink, options);
        sink.WaitForEnd();
    }

    // xunit runs them in the order of ids that are new in each process. A test that fails only after those of another
    // collection would fail by chance.
    private static void OrderCollections(IEnumerable<ITestCase> cases)
    {
        int next = 0;
        foreach (IGrouping<Guid, TestCollection> collection in cases
            .Select(test => test.TestMethod?.TestClass.TestCollection).OfType<TestCollection>()
            .GroupBy(collection => collection.UniqueID).ToArray())
        {
            Guid id = new(next++, 0, 0, new byte[8]);
            foreach (TestCollection one in collection)
            {
                one.UniqueID = id;
            }
        }
    }

    private static List<ITestCase> Discover(Job job, ITestFrameworkDiscoverer discoverer, HostOptions options)
    {
        List<ITestCase> found = [];
        if (job.Classes.Count == 0)
        {
            Find(found, sink => discoverer.Find(includeSourceInformation: false, sink, options));
        }

        foreach (string name in job.Classes)
        {
            Find(found, sink => discoverer.Find(name, includeSourceInformation: false, sink, options));
        }

        // Rows of equal data have one id, by which nothing can tell them apart. As in "dotnet test", the first runs.
        HashSet<string> ids = [];
        return [.. found.Where(test => ids.Add(test.UniqueID))];
    }

    private static void Find(List<ITestCase> found, Action<IMessageSink> find)
    {
        using DiscoverySink sink = new(found);
        find(sink);
        sink.WaitForEnd();
    }
}
