using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int AF_UNIX = 1;
    public const int SOCK_SEQPACKET = 5;
    public const int SOCK_CLOEXEC = 0x80000;
    public const int SOL_SOCKET = 1;
    public const int SCM_RIGHTS = 1;
    public const int MSG_NOSIGNAL = 0x4000;
    public const int MSG_CMSG_CLOEXEC = 0x40000000;

    [LibraryImport(Library, EntryPoint = "socketpair", SetLastError = true)]
    public static partial int SocketPair(int domain, int type, int protocol, int* descriptors);

    [LibraryImport(Library, EntryPoint = "sendmsg", SetLastError = true)]
    public static partial nint SendMessage(int descriptor, MessageHeader* message, int flags);

    [LibraryImport(Library, EntryPoint = "recvmsg", SetLastError = true)]
    public static partial nint ReceiveMessage(int descriptor, MessageHeader* message, int flags);

    /// <summary>struct msghdr of a 64-bit Linux; musl has padding where glibc has the upper halves of lengths.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MessageHeader
    {
        public void* msg_name;
        public nuint msg_namelen;
        public IoVector* msg_iov;
        public nuint msg_iovlen;
        public void* msg_control;
        public nuint msg_controllen;
        public int msg_flags;

        /// <summary>A message with data in one piece, with descriptors or, where that is null, without.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static MessageHeader Of(IoVector* data, ThreeDescriptors* control) => new()
        {
            msg_iov = data,
            msg_iovlen = 1,
            msg_control = control,
            msg_controllen = control is null ? 0 : (nuint)sizeof(ThreeDescriptors),
        };
    }

    /// <summary>struct cmsghdr with three descriptors behind it, and what fills it up to a multiple of eight bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ThreeDescriptors
    {
        public nuint cmsg_len;
        public int cmsg_level;
        public int cmsg_type;
        public int First;
        public int Second;
        public int Third;
        private readonly int _padding;

        /// <summary>The length of header and descriptors: CMSG_LEN(3 * sizeof(int)).</summary>
        public static nuint Length => (nuint)sizeof(ThreeDescriptors) - sizeof(int);

        /// <summary>Three descriptors to be sent.</summary>
        public static ThreeDescriptors Of(int first, int second, int third) => new()
        {
            cmsg_len = Length,
            cmsg_level = SOL_SOCKET,
            cmsg_type = SCM_RIGHTS,
            First = first,
            Second = second,
            Third = third,
        };
    }
}
