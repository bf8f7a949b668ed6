namespace ProcessRunner.Backends.Linux.Start;

/// <summary>Describes what is known about <see cref="CloneSpawn"/> on this machine.</summary>
internal enum CloneVerdict
{
    /// <summary>The test has not come to a result yet.</summary>
    Unknown,

    /// <summary>It works.</summary>
    Passed,

    /// <summary>It does not work.</summary>
    Failed,
}
