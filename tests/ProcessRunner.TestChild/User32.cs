using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild;

/// <summary>Declares the functions of windows.</summary>
internal static unsafe partial class User32
{
    private const string Library = "user32";
    private const int CloseMessage = 0x10;

    /// <summary>Creates a top-level window that belongs to this thread.</summary>
    /// <returns>Zero if there is no desktop.</returns>
    public static nint CreateWindow() => CreateWindow(0, "STATIC", "test", 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /// <summary>Handles the messages of this thread's windows until somebody closes one of them.</summary>
    public static void AwaitClose()
    {
        Message message = default;
        while (message.Number != CloseMessage && GetMessage(&message, 0, 0, 0) > 0)
        {
            _ = DispatchMessage(&message);
        }
    }

    [LibraryImport(Library, EntryPoint = "CreateWindowExW", StringMarshalling = StringMarshalling.Utf16)]
    private static partial nint CreateWindow(
        uint extendedStyle,
        string windowClass,
        string title,
        uint style,
        int left,
        int top,
        int width,
        int height,
        nint parent,
        nint menu,
        nint module,
        nint state);

    [LibraryImport(Library, EntryPoint = "GetMessageW")]
    private static partial int GetMessage(Message* message, nint window, uint first, uint last);

    [LibraryImport(Library, EntryPoint = "DispatchMessageW")]
    private static partial nint DispatchMessage(Message* message);

    [StructLayout(LayoutKind.Sequential)]
    private struct Message
    {
        public nint Window;
        public uint Number;
        public nuint First;
        public nint Second;
        public uint Time;
        public int Left;
        public int Top;
    }
}
