using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>Changes a standard stream of a running child, as the child itself could.</summary>
internal static class ChildPipe
{
    private const int SetPipeSize = 1031;

    /// <summary>Sets the size of the pipe behind a descriptor of the child.</summary>
    /// <param name="processId">The id of the child.</param>
    /// <param name="descriptor">The number that the pipe has in the child.</param>
    /// <param name="size">The size in bytes: a power of two, at most 1 MiB.</param>
    public static void Resize(int processId, int descriptor, int size)
    {
        int pipe = NativeMethods.Open(
            $"/proc/{processId}/fd/{descriptor}", NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);
        NativeMethods.Fcntl(pipe, SetPipeSize, size).Should().Be(size);
        NativeMethods.Close(pipe).Should().Be(0);
    }
}
