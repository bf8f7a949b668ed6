namespace ProcessRunner.Backends;

/// <summary>Specifies the process group that a child joins.</summary>
internal enum LaunchGroup
{
    /// <summary>One of the others, depending on the terminal.</summary>
    Auto,

    /// <summary>A group of its own.</summary>
    Own,

    /// <summary>A session of its own, without a terminal.</summary>
    Session,

    /// <summary>The caller's group.</summary>
    Inherit,

    /// <summary>An existing group (<see cref="ILaunchSettings.ProcessGroupId"/>).</summary>
    Joined,
}
