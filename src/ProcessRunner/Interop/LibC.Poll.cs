using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const short POLLIN = 1;

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, int timeoutMilliseconds);

    /// <summary>struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        /// <summary>Left out if negative.</summary>
        public int fd;

        public short events;
        public short revents;
    }
}
