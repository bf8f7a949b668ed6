using System;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>A child that was started, whichever way.</summary>
internal interface IRunningChild : IDisposable
{
    /// <summary>Blocks until it has ended and its output has been read.</summary>
    ChildReport Wait();

    /// <summary>Kills it; it is waited for afterwards.</summary>
    void Kill();
}
