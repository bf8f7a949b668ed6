using System;

namespace ProcessRunner.Backends.Portable;

/// <summary>Represents the start of one child of the portable backend.</summary>
internal interface IPortableStart
{
    /// <summary>Gets the description of the child.</summary>
    ILaunchPlan Plan { get; }

    /// <summary>Gets the number of pipes that the process will have.</summary>
    int Pipes { get; }

    /// <summary>Prepares an attempt, on the thread that asks for it.</summary>
    void Prepare();

    /// <summary>Starts the process on the calling thread.</summary>
    /// <param name="adopt">Takes the process that has been started, unless it throws.</param>
    /// <exception cref="LaunchException">The process could not be started; nothing of it is left.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory; nothing of the process is left.</exception>
    void Run(Action<PortableProcess> adopt);
}
