using System.Collections.Generic;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents a question to the <see cref="ProcessSurvey"/>: which processes descend from a child that has exited. It
/// belongs to the survey's thread.
/// </summary>
/// <param name="Child">The child.</param>
/// <param name="GroupId">The child's process group, or null if it has no group of its own.</param>
/// <param name="PatienceEnd">The instant at which the question is answered as far as known.</param>
[SupportedOSPlatform("linux")]
internal sealed record Question(LinuxChild Child, int? GroupId, long PatienceEnd)
{
    /// <summary>Gets the descendants found so far, by their process id.</summary>
    public Dictionary<int, Descendant> Found { get; } = [];
}
