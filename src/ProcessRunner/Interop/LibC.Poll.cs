using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const short POLLIN = 1;

    public static int Poll(PollDescriptor* descriptors, nuint count, int timeoutMilliseconds) =>
        FaultPoint.Fails("poll") ? -1 : poll(descriptors, count, timeoutMilliseconds);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int poll(PollDescriptor* descriptors, nuint count, int timeoutMilliseconds);

    /// <summary>Represents struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        /// <summary>The descriptor; poll ignores an entry with a negative one.</summary>
        public int fd;

        public short events;
        public short revents;
    }
}
