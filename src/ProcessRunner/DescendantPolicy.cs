namespace ProcessRunner;

/// <summary>
/// Tells what is done about the processes that a child leaves behind: members of its process group, and those that
/// left the group but still carry the mark that every child gets in its environment.
/// </summary>
/// <remarks>
/// What can be found is what still is in the child's process group, or has the variable <c>PROCESSRUNNER_CHILD</c> in
/// an environment that this process may read. A process that did both, leave the group and clear its environment, or
/// that runs as another user, cannot be found by anybody without a control group or a namespace of its own. Outside of the
/// group nobody is found where /proc is not mounted, may not be read, or belongs to another namespace of processes
/// (pid_namespaces(7)).
/// </remarks>
public enum DescendantPolicy
{
    /// <summary>Nothing is done or looked for, and the child's environment is not marked.</summary>
    Leave,

    /// <summary>They are named in <see cref="ProcessResult.SurvivingDescendants"/> after every run.</summary>
    Report,

    /// <summary>
    /// A stop goes on until they are gone, by the same ladder as the child. A run that was not stopped leaves them, and
    /// names them if they hold its output.
    /// </summary>
    KillOnStop,

    /// <summary>They are killed after every run, however it ended.</summary>
    KillAlways,
}
