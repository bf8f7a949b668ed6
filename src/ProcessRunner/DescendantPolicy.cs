using System.Runtime.Versioning;

namespace ProcessRunner;

/// <summary>
/// Specifies what happens to the processes that a child leaves behind: the members of its process group, and the
/// processes that left the group but still carry its mark, the variable <c>PROCESSRUNNER_CHILD</c>, which processes
/// inherit in their environment. On Windows they are the processes in the child's job object.
/// </summary>
/// <remarks>
/// On Linux a descendant is found if it is still in the child's process group, or if this process may read its
/// environment and the mark is there. A process that has both left the group and cleared its environment, or that runs
/// as another user, cannot be found without a control group or a namespace of its own. No process outside the group is
/// found if /proc is not mounted, may not be read, or belongs to another PID namespace (pid_namespaces(7)).
/// </remarks>
public enum DescendantPolicy
{
    /// <summary>
    /// Descendants outside the child's process group are neither looked for nor signaled, and the child's environment
    /// carries no mark, unless <see cref="ProcessEngineOptions.KillChildrenOnExit"/> or
    /// <see cref="ProcessCommand.KillOnParentExit"/> needs one.
    /// </summary>
    Leave,

    /// <summary><see cref="ProcessResult.SurvivingDescendants"/> lists the descendants after every run.</summary>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    Report,

    /// <summary>
    /// A stop continues until the descendants are gone, with the same signals as for the child. A run that was not
    /// stopped leaves them alone, and lists them if they hold its output open.
    /// </summary>
    KillOnStop,

    /// <summary>Descendants are killed after every run, however it ended.</summary>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    KillAlways,
}
