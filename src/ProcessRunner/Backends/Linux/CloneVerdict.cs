namespace ProcessRunner.Backends.Linux;

/// <summary>What is known of <see cref="CloneSpawn"/> on this machine.</summary>
internal enum CloneVerdict
{
    /// <summary>Nothing yet.</summary>
    Unknown,

    /// <summary>It works.</summary>
    Passed,

    /// <summary>It does not.</summary>
    Failed,
}
