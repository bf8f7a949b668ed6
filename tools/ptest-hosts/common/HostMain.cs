using System;
using System.Collections.Generic;
using System.Reflection;

namespace PTest.Hosts;

/// <summary>Does a job in the process of the tests, and reports to the runner how that ended.</summary>
internal static class HostMain
{
    /// <summary>Does the job, if there is one, and ends this process.</summary>
    /// <param name="run">Lists or runs the tests.</param>
    public static void Run(Action<Job, EventWriter> run)
    {
        if (Job.Take() is Job job)
        {
            // Foreground threads of the tests must not hold up the end.
            Environment.Exit(Run(job, run));
        }
    }

    /// <summary>Lets the runtime find assemblies that are not in the list with which it has started.</summary>
    private static void LoadFrom(Dictionary<string, string> paths)
    {
        if (paths.Count > 0)
        {
            AppDomain.CurrentDomain.AssemblyResolve += (_, missing) =>
                paths.TryGetValue(missing.Name.Split(',')[0], out string? path) ? Assembly.LoadFrom(path) : null;
        }
    }

    private static int Run(Job job, Action<Job, EventWriter> run)
    {
        using EventWriter events = new(job.Events);
        try
        {
            if (job.IsForRuntime)
            {
                events.Write(
                    EventNames.Runtime,
                    ("test", Environment.Version.ToString()),
                    ("output", AppDomain.CurrentDomain.GetData("TRUSTED_PLATFORM_ASSEMBLIES") as string));
            }
            else
            {
                LoadFrom(job.Loads);
                run(job, events);
            }

            events.Write(EventNames.RunEnded);
            return 0;
        }
        catch (Exception exception)
        {
            events.Write(EventNames.HostError, ("message", exception.Message), ("stack", exception.ToString()));
            return 1;
        }
    }
}
