using System;
using System.Collections.Generic;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>Who sees to what descends from the children of one engine. The fields never change after construction.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxFamily : IDisposable
{
    /// <param name="addLiveChildren">Adds the ids of our own children, which are nobody's descendants here.</param>
    /// <param name="guardianSpawner">Starts a guardian, if there is to be one.</param>
    /// <exception cref="ProcessStartException">The guardian cannot be started.</exception>
    public LinuxFamily(Action<HashSet<int>> addLiveChildren, Spawner? guardianSpawner)
    {
        Survey = new ProcessSurvey(MarkPrefix, addLiveChildren);
        try
        {
            Guardian = guardianSpawner is null ? null : new Guardian(guardianSpawner, MarkPrefix);
        }
        catch
        {
            Survey.Dispose();
            throw;
        }
    }

    /// <summary>What the marks of all children begin with.</summary>
    public string MarkPrefix { get; } = ChildMark.NewPrefix();

    /// <summary>Finds the descendants.</summary>
    public ProcessSurvey Survey { get; }

    /// <summary>Kills them when this process ends, or null.</summary>
    public Guardian? Guardian { get; }

    /// <summary>Ends the survey and the guardian; no child is left that could ask.</summary>
    public void Dispose()
    {
        Survey.Dispose();
        Guardian?.Dispose();
    }
}
