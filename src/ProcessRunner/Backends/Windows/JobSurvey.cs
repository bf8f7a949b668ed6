using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
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
        List<Descendant> descendants = processIds.ConvertAll(id => new Descendant(id, ImageOf(id), IsInReach: true));
        descendants.RemoveAll(
            found => found.CommandLine.Equals(s_consoleHost, StringComparison.OrdinalIgnoreCase));
        return descendants;
    }

    // Windows does not tell the command line of another process in a documented way.
    private static string ImageOf(int processId)
    {
        nint process = Kernel32.OpenProcess(Kernel32.PROCESS_QUERY_LIMITED_INFORMATION, false, (uint)processId);
        if (process == 0)
        {
            return "";
        }

        char* name = stackalloc char[LongestPath];
        uint length = LongestPath;
        bool isKnown = Kernel32.QueryFullProcessImageNameW(process, 0, name, &length);
        Kernel32.CloseHandle(process);
        return isKnown ? new string(name, 0, (int)length) : "";
    }
}
