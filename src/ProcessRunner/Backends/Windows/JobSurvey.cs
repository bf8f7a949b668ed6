using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>Finds the descendants of a child: the members of its job.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class JobSurvey
{
    private const int LongestPath = 1024;

    // The server of a console without a window, which the system starts for the child and ends with its last client.
    private static readonly string s_consoleHost = Path.Combine(Environment.SystemDirectory, "conhost.exe");

    /// <summary>Returns the members of a job that live, except the child.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for the answer.</exception>
    public static List<Descendant> Find(JobObject job, int childId)
    {
        List<int> processIds = [];
        if (!job.TryList(processIds))
        {
            throw new InsufficientMemoryException("The members of a job cannot be listed.");
        }

        processIds.Remove(childId);
        return Describe(job, processIds);
    }

    /// <summary>Describes those of some processes that live and are members, except the host of the console.</summary>
    public static List<Descendant> Describe(JobObject job, List<int> processIds)
    {
        List<Descendant> descendants = new(processIds.Count);
        foreach (int id in processIds)
        {
            OwnedHandle process = job.OpenMember(id, out bool isRefused);
            try
            {
                string image = process.IsOpen ? ImageOf(process.Value) : "";
                bool isOne = process.IsOpen || isRefused;
                if (isOne && !image.Equals(s_consoleHost, StringComparison.OrdinalIgnoreCase))
                {
                    descendants.Add(new Descendant(id, image, IsInReach: true));
                }
            }
            finally
            {
                process.Close();
            }
        }

        return descendants;
    }

    // Windows does not tell the command line of another process in a documented way.
    private static string ImageOf(nint process)
    {
        char* name = stackalloc char[LongestPath];
        uint length = LongestPath;
        bool isKnown = Kernel32.QueryFullProcessImageNameW(process, 0, name, &length);
        return isKnown ? new string(name, 0, (int)length) : "";
    }
}
