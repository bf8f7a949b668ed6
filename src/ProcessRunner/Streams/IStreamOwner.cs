using System;
using System.Threading;

namespace ProcessRunner.Streams;

/// <summary>The run that streams belong to: has what they need, and stops its child if it writes more than it may.</summary>
internal interface IStreamOwner
{
    /// <summary>What all children of the engine share.</summary>
    StreamServices Services { get; }

    /// <summary>In which user code is called; null for the default one.</summary>
    ExecutionContext? Context { get; }

    /// <summary>Called once, with the child's gate held.</summary>
    void OnExceeded();

    /// <summary>There was no memory for what it wrote. Called with the child's gate held; takes no memory itself.</summary>
    void OnOutOfMemory(OutOfMemoryException exception);
}
