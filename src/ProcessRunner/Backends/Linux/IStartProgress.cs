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

    /// <summary>The starter goes on: the frame is not to be used any more.</summary>
    void OnCloned();
}
