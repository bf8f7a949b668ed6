using System.Collections.Generic;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>A question to the <see cref="ProcessSurvey"/>: who descends from a child that has exited. Its thread's own.</summary>
/// <param name="Child">The child.</param>
/// <param name="GroupId">Its process group, or null if that is not its own.</param>
/// <param name="PatienceEnd">When it is to be answered as far as known.</param>
[SupportedOSPlatform("linux")]
internal sealed record Question(LinuxChild Child, int? GroupId, long PatienceEnd)
{
    /// <summary>Those that have been found so far, by their id.</summary>
    public Dictionary<int, Descendant> Found { get; } = [];
}
