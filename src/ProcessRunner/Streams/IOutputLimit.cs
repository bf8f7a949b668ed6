using System;

namespace ProcessRunner.Streams;

/// <summary>Stops a child that has written more than it may, or more than there is memory for.</summary>
internal interface IOutputLimit
{
    /// <summary>Called once, with the child's gate held.</summary>
    void OnExceeded();

    /// <summary>There was no memory for what it wrote. Called with the child's gate held; takes no memory itself.</summary>
    void OnOutOfMemory(OutOfMemoryException exception);
}
