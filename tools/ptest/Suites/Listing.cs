using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner;
using PTest.Hosts;
using PTest.Running;

namespace PTest.Suites;

/// <summary>Lists the tests of assemblies, each by a process of its own.</summary>
internal static class Listing
{
    /// <summary>
    /// Lists the tests, in the order of the assemblies. Where the host of an assembly finds none, the next one lists.
    /// </summary>
    /// <exception cref="UsageException">An assembly cannot be listed.</exception>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    public static IReadOnlyList<TestCase> Of(IReadOnlyList<TestAssembly> assemblies, SessionOptions options)
    {
        string root = ScratchFolder.Create("ptest-list-");
        try
        {
            BatchItem[] items = [.. assemblies.Select(assembly => Item(assembly, WorkFolder.Next(root), options))];
            BatchSummary summary = ProcessBatch.Run(
                items, new BatchOptions { MaxConcurrency = options.Jobs, StopOnInterrupt = true });
            return summary.StoppedBy == StopCause.Interrupt
                ? throw new OperationCanceledException()
                : [.. summary.Results.SelectMany(result => Found(result, options))];
        }
        finally
        {
            ScratchFolder.Delete(root);
        }
    }

    private static IReadOnlyList<TestCase> Found(BatchResult result, SessionOptions options)
    {
        (TestAssembly assembly, WorkFolder folder) = ((TestAssembly, WorkFolder))result.Tag!;
        TestCase[] found = [.. Found(assembly, folder, result)];
        if (found.Length > 0 && assembly.OtherFramework is string other)
        {
            throw new UsageException(
                $"{assembly.Name} has tests of {assembly.Host.Name}, and refers to {other}, whose adapter lies beside "
                + $"it. Only those of one framework can run: move the tests of {other} into a project of their own, or "
                + "leave out its adapter if there are none.");
        }

        if (found.Length > 0 || assembly.NextHosts is not [TestHost next, ..])
        {
            return found;
        }

        next.Variables = assembly.Host.Variables;
        TestHost[] rest = [.. assembly.NextHosts.Skip(1)];
        return Of([assembly with { Host = next, NextHosts = rest, OtherFramework = null }], options);
    }

    private static BatchItem Item(TestAssembly assembly, WorkFolder folder, SessionOptions options)
    {
        ProcessCommand command = assembly.Host.List(assembly, folder) with { Timeout = options.ListLimit };
        return new BatchItem(command) { Tag = (assembly, folder) };
    }

    private static IEnumerable<TestCase> Found(TestAssembly assembly, WorkFolder folder, BatchResult result)
    {
        folder.EndListening();
        if (result.Result is not ProcessResult process)
        {
            throw new UsageException($"the tests of {assembly.Name} cannot be listed: {result.Exception?.Message}");
        }

        List<HostEvent> events = [.. HostEvent.ReadAll(folder.EventFile)];
        events.AddRange(assembly.Host.Complete(process, [], folder));
        if (events is not [.., { Event: EventNames.RunEnded }])
        {
            string reason = events.LastOrDefault(happening => happening.Event == EventNames.HostError)?.Stack
                ?? $"{process.StandardOutput.Text}{process.StandardError.Text}";
            throw new UsageException($"the tests of {assembly.Name} cannot be listed: {process}\n{reason}");
        }

        IEnumerable<HostEvent> found = events.Where(happening => happening.Event == EventNames.Found);
        return assembly.Host.WithDetails(assembly, [.. found.DistinctBy(happening => happening.Case)])
            .Select(happening => Case(assembly, happening));
    }

    private static TestCase Case(TestAssembly assembly, HostEvent found) => new()
    {
        Assembly = assembly,
        Id = found.Case!,
        ClassName = found.Class ?? "",
        MethodName = found.Method ?? "",
        DisplayName = !string.IsNullOrWhiteSpace(found.Test) ? found.Test : $"{found.Class}.{found.Method}",
        Collection = found.Collection ?? found.Class ?? "",
        IsExclusive = found.Exclusive == "true",
        Traits = found.Traits ?? [],
    };
}
