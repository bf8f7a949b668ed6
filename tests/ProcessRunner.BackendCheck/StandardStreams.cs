using System;
using System.IO;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Opens the streams that a child writes. On Windows <see cref="Console"/> writes zero bytes first, to see whether it
/// can write: the next stage of a pipeline reads zero bytes then, and .NET takes that for the end.
/// </summary>
internal static partial class StandardStreams
{
    private const int STD_OUTPUT_HANDLE = -11;
    private const int STD_ERROR_HANDLE = -12;

    public static Stream OpenOutput() =>
        OperatingSystem.IsWindows() ? Open(STD_OUTPUT_HANDLE) : Console.OpenStandardOutput();

    public static Stream OpenError() =>
        OperatingSystem.IsWindows() ? Open(STD_ERROR_HANDLE) : Console.OpenStandardError();

    private static FileStream Open(int which) =>
        new(new SafeFileHandle(GetStdHandle(which), ownsHandle: false), FileAccess.Write, bufferSize: 0);

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int which);
}
