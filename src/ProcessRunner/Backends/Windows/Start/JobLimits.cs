using System;
using System.ComponentModel;
using System.Linq;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Expresses the processors and the limits of a child as limits of its job, so that they hold for its descendants as
/// well, which cannot raise them. Stateless and thread-safe.
/// </summary>
internal static class JobLimits
{
    // A job runs on one group of processors, which has one bit for each of them.
    private const int MostProcessors = 64;

    /// <summary>Returns the limits for the settings of a child.</summary>
    /// <param name="settings">The settings; null for none.</param>
    /// <param name="hasOwnConsole">
    /// Whether the child has a console of its own, whose host the system starts in the job as well.
    /// </param>
    /// <exception cref="LaunchException">The processors cannot be expressed.</exception>
    public static Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION For(ILaunchSettings? settings, bool hasOwnConsole)
    {
        Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION information = default;
        if (settings is null)
        {
            return information;
        }

        foreach (int processor in settings.Processors)
        {
            if (processor >= MostProcessors)
            {
                throw BadProcessors(Win32Error.ERROR_INVALID_PARAMETER, settings);
            }

            information.LimitFlags |= Kernel32.JOB_OBJECT_LIMIT_AFFINITY;
            information.Affinity |= (nuint)1 << processor;
        }

        foreach (LaunchLimit limit in settings.Limits.Where(static limit => limit.Soft >= 0))
        {
            Add(ref information, limit, hasOwnConsole);
        }

        return information;
    }

    /// <summary>Explains why the system refuses a job.</summary>
    public static LaunchException Explain(Win32Exception exception, ILaunchSettings? settings) =>
        (exception.NativeErrorCode == Win32Error.ERROR_INVALID_PARAMETER ? settings : null) switch
        {
            { Processors.IsEmpty: false } bad => BadProcessors(exception.NativeErrorCode, bad),
            { Limits.IsEmpty: false } bad => new LaunchException(
                exception.NativeErrorCode, LaunchStep.BadLimit,
                $"the system refuses the limits {string.Join(", ", bad.Limits)}"),
            _ => StartError.ExplainStep(exception),
        };

    private static LaunchException BadProcessors(int error, ILaunchSettings settings) => new(
        error, LaunchStep.BadProcessors,
        $"the processors {string.Join(", ", settings.Processors)} cannot be used: this process may not use all of "
        + "them, or they do not belong to one group");

    // The address space of Windows costs nothing until it is committed. So both limits are one of committed memory.
    private static void Add(
        ref Kernel32.JOBOBJECT_EXTENDED_LIMIT_INFORMATION information, LaunchLimit limit, bool hasOwnConsole)
    {
        switch (limit.Resource)
        {
            case LaunchResource.ProcessorTime:
                information.LimitFlags |= Kernel32.JOB_OBJECT_LIMIT_PROCESS_TIME;
                information.PerProcessUserTimeLimit =
                    Math.Min(limit.Soft, long.MaxValue / TimeSpan.TicksPerSecond) * TimeSpan.TicksPerSecond;
                break;

            case LaunchResource.DataSize or LaunchResource.AddressSpace:
                bool isLower = (information.LimitFlags & Kernel32.JOB_OBJECT_LIMIT_PROCESS_MEMORY) == 0
                    || (nuint)limit.Soft < information.ProcessMemoryLimit;
                information.LimitFlags |= Kernel32.JOB_OBJECT_LIMIT_PROCESS_MEMORY;
                information.ProcessMemoryLimit = isLower ? (nuint)limit.Soft : information.ProcessMemoryLimit;
                break;

            case LaunchResource.Processes:
                information.LimitFlags |= Kernel32.JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
                uint hosts = hasOwnConsole && limit.Soft > 0 ? 1u : 0;
                information.ActiveProcessLimit = (uint)Math.Min(limit.Soft, uint.MaxValue - hosts) + hosts;
                break;

            default:
                throw new LaunchException(
                    Win32Error.ERROR_INVALID_PARAMETER, LaunchStep.BadLimit,
                    $"Windows has no limit of {limit.Resource}");
        }
    }
}
