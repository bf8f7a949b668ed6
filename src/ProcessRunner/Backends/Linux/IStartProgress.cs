using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Lets other threads reach a child between its clone and its exec, while its starter sleeps in the kernel. Called by the
/// starter.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe interface IStartProgress
{
    /// <summary>The clone is about to be made: from its first moment on the frame holds the child's pidfd.</summary>
    void OnCloning(CloneCode.Frame* frame);

    /// <summary>posix_spawn is about to be called by the thread of that number: the child is its youngest.</summary>
    void OnSpawning(int thread);

    /// <summary>The starter goes on: what it told of is not to be used any more.</summary>
    void OnStarted();
}
