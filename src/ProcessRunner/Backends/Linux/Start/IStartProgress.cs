using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides other threads with access to a child between its clone and its exec, while its starter sleeps in the
/// kernel. The starter calls the members.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe interface IStartProgress
{
    /// <summary>
    /// Called before the clone. The frame holds the child's pidfd once the child has begun, and not before.
    /// </summary>
    void OnCloning(CloneCode.Frame* frame);

    /// <summary>
    /// Called before posix_spawn by the thread with the given id: the child becomes that thread's youngest.
    /// </summary>
    void OnSpawning(int thread);

    /// <summary>
    /// Called when the starter continues: the frame or the thread passed earlier must not be used any longer.
    /// </summary>
    void OnStarted();
}
