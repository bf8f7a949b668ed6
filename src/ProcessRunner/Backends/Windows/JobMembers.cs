using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Backends.Windows.Start;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Represents members of a job that live. Each is open, so that its id belongs to no other process before the disposal.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class JobMembers : IDisposable
{
    private readonly OwnedHandle[] _processes;
    private readonly List<int> _ids;

    /// <summary>Opens those of some processes that live and are members.</summary>
    /// <param name="job">The job.</param>
    /// <param name="ids">The ids that it has listed.</param>
    public JobMembers(JobObject job, List<int> ids)
    {
        _processes = new OwnedHandle[ids.Count];
        _ids = new List<int>(ids.Count);
        foreach (int id in ids)
        {
            OwnedHandle process = job.OpenMember(id, out _);
            if (process.IsOpen)
            {
                _processes[_ids.Count] = process;
                _ids.Add(id);
            }
        }
    }

    /// <summary>Gets the ids.</summary>
    public ReadOnlySpan<int> Ids => CollectionsMarshal.AsSpan(_ids);

    public void Dispose()
    {
        for (int i = 0; i < _processes.Length; i++)
        {
            _processes[i].Close();
        }
    }
}
