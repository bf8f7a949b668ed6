using System.ComponentModel;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents a pipe between a child and this process. Our end is overlapped, and the child's end is synchronous, as
/// programs expect. The owner moves <see cref="Ours"/> out or closes both ends.
/// </summary>
/// <remarks>
/// <para>The pipe has no name, so that no other process can open it. Neither end is inheritable: a start gives the
/// child a duplicate.</para>
/// <para>It carries bytes, not messages: a message of zero bytes ends a read, and .NET writes zero bytes to see whether
/// it has a standard output. Wine 8 makes a pipe for messages if any bit of its type is set, that which rejects remote
/// clients included.</para>
/// </remarks>
[SupportedOSPlatform("windows")]
internal unsafe struct WindowsPipe
{
    private const uint Capacity = 64 * 1024;

    // The same rights as CreatePipe, so that a child can use its end as usual.
    private const uint ReadAccess = NtDll.GENERIC_READ | NtDll.FILE_WRITE_ATTRIBUTES;
    private const uint WriteAccess = NtDll.GENERIC_WRITE | NtDll.FILE_READ_ATTRIBUTES;

    // The device of the pipes, open for good: a pipe without a name is created relative to it.
    private static nint s_device;

    public OwnedHandle Ours;
    public OwnedHandle Theirs;

    /// <exception cref="Win32Exception">The system lacks memory; nothing is open.</exception>
    public static WindowsPipe Open(bool weRead)
    {
        WindowsPipe pipe = default;
        Open(weRead, isOverlapped: true, out pipe.Ours, out pipe.Theirs);
        return pipe;
    }

    /// <summary>Opens a pipe whose ends are both synchronous, and takes ownership of both.</summary>
    /// <exception cref="Win32Exception">The system lacks memory; nothing is open.</exception>
    public static void OpenSynchronous(out OwnedHandle readEnd, out OwnedHandle writeEnd) =>
        Open(serverReads: true, isOverlapped: false, out readEnd, out writeEnd);

    public void Close()
    {
        Ours.Close();
        Theirs.Close();
    }

    private static void Open(bool serverReads, bool isOverlapped, out OwnedHandle server, out OwnedHandle client)
    {
        NtDll.UNICODE_STRING none = default;
        NtDll.OBJECT_ATTRIBUTES attributes = new()
        {
            Length = (uint)sizeof(NtDll.OBJECT_ATTRIBUTES),
            RootDirectory = Device(),
            ObjectName = &none,
        };
        nint handle = NtDll.CreateNamedPipeFile(
            &attributes,
            NtDll.SYNCHRONIZE | (serverReads ? ReadAccess : WriteAccess),
            serverReads ? NtDll.FILE_SHARE_WRITE : NtDll.FILE_SHARE_READ,
            isOverlapped ? 0 : NtDll.FILE_SYNCHRONOUS_IO_NONALERT,
            Capacity);
        server = OwnedHandle.From(handle, "NtCreateNamedPipeFile");
        attributes.RootDirectory = handle;
        try
        {
            handle = NtDll.OpenFile(
                &attributes,
                NtDll.SYNCHRONIZE | (serverReads ? WriteAccess : ReadAccess),
                NtDll.FILE_SHARE_READ | NtDll.FILE_SHARE_WRITE,
                NtDll.FILE_SYNCHRONOUS_IO_NONALERT | NtDll.FILE_NON_DIRECTORY_FILE);
            client = OwnedHandle.From(handle, "NtOpenFile");
        }
        catch
        {
            server.Close();
            throw;
        }
    }

    private static nint Device()
    {
        if (Volatile.Read(ref s_device) is nint device and not 0)
        {
            return device;
        }

        OwnedHandle opened = OpenDevice();
        device = Interlocked.CompareExchange(ref s_device, opened.Value, 0);
        if (device == 0)
        {
            return opened.Value;
        }

        opened.Close();
        return device;
    }

    private static OwnedHandle OpenDevice()
    {
        const string Path = @"\Device\NamedPipe\";
        fixed (char* characters = Path)
        {
            NtDll.UNICODE_STRING name = new()
            {
                Length = (ushort)(Path.Length * sizeof(char)),
                MaximumLength = (ushort)(Path.Length * sizeof(char)),
                Buffer = characters,
            };
            NtDll.OBJECT_ATTRIBUTES attributes = new()
            {
                Length = (uint)sizeof(NtDll.OBJECT_ATTRIBUTES),
                ObjectName = &name,
            };
            nint handle = NtDll.OpenFile(
                &attributes,
                NtDll.SYNCHRONIZE | NtDll.GENERIC_READ,
                NtDll.FILE_SHARE_READ | NtDll.FILE_SHARE_WRITE,
                NtDll.FILE_SYNCHRONOUS_IO_NONALERT);
            return OwnedHandle.From(handle, "NtOpenFile of the pipes' device");
        }
    }
}
