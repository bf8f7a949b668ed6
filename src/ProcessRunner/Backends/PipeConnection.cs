using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents a pipe of the kernel between two children, bound to the output of one and the input of the other. The
/// start of the writer opens it. It is disposed once both have been started, so that only they hold it.
/// </summary>
internal abstract class PipeConnection : IDisposable
{
    public abstract void Dispose();
}
