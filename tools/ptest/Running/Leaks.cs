using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using ProcessRunner;

namespace PTest.Running;

/// <summary>Represents a process that a test left behind.</summary>
/// <param name="CommandLine">Its command line.</param>
/// <param name="Started">When it started, which tells whose it is; null if that cannot be known.</param>
internal sealed record Leak(string CommandLine, DateTime? Started)
{
    /// <summary>Ends the processes that an ended process of tests has left, and tells what they were.</summary>
    public static IReadOnlyList<Leak> End(IReadOnlyList<SurvivingProcess> survivors)
    {
        List<Leak> leaks = [];
        foreach (SurvivingProcess survivor in survivors)
        {
            DateTime? started = null;
            try
            {
                using Process process = Process.GetProcessById(survivor.ProcessId);
                started = process.StartTime.ToUniversalTime();
                process.Kill();
            }
            catch (Exception exception)
                when (exception is ArgumentException or InvalidOperationException or Win32Exception)
            {
                // It has ended meanwhile.
            }

            leaks.Add(new Leak(survivor.CommandLine, started));
        }

        return leaks;
    }
}
