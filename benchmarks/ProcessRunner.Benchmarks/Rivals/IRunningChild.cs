using System;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>A child that was started, whichever way.</summary>
internal interface IRunningChild : IDisposable
{
    /// <summary>Blocks until it has ended and its output has been read.</summary>
    void Wait();

    /// <summary>Says what came of it, once it was waited for, and lets go of its output.</summary>
    ChildReport Report();

    /// <summary>Kills it; it is waited for afterwards.</summary>
    void Kill();
}
