using System;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Represents a started child, whichever way it was started.</summary>
internal interface IRunningChild : IDisposable
{
    /// <summary>Blocks until the child has ended and its output has been read.</summary>
    void Wait();

    /// <summary>Gets the result after the wait, and releases the output.</summary>
    ChildReport Report();

    /// <summary>Kills the child; the wait follows.</summary>
    void Kill();
}
