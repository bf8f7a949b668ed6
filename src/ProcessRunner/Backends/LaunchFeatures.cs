using System;

namespace ProcessRunner.Backends;

/// <summary>Specifies settings of a child that not every backend can carry out.</summary>
[Flags]
internal enum LaunchFeatures
{
    None = 0,

    /// <summary>The name that the program gets as its own.</summary>
    ArgumentZero = 1,

    /// <summary>The nice value of Unix.</summary>
    Nice = 1 << 1,

    /// <summary>The priority class.</summary>
    Priority = 1 << 2,

    /// <summary>The processors on which the child may run.</summary>
    Processors = 1 << 3,

    /// <summary>The limits of processor time, memory and processes.</summary>
    Limits = 1 << 4,

    /// <summary>The mask of the rights of new files.</summary>
    FileModeMask = 1 << 5,

    /// <summary>The user and the groups of users.</summary>
    Identity = 1 << 6,

    /// <summary>An existing process group.</summary>
    ProcessGroupId = 1 << 7,

    /// <summary>The end of the child with that of this process.</summary>
    KillOnParentExit = 1 << 8,

    /// <summary>The limits of other resources, which Unix alone has.</summary>
    UnixLimits = 1 << 9,

    /// <summary>A stop that closes the windows of the child.</summary>
    CloseWindows = 1 << 10,
}
