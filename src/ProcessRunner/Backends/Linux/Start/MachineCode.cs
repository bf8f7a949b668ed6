using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides executable memory for instructions that can be neither C# nor a call of the C library. The code is copied
/// into a page that is first writable and then executable, never both, and stays there. If the kernel does not let a
/// page become executable that was writable before (PR_SET_MDWE, MemoryDenyWriteExecute of systemd), the code is
/// written to a memory file, which is mapped executable from the beginning.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class MachineCode
{
    // For hosts that must not make code executable, and for tests of the posix_spawn path.
    private const string UsePosixSpawn = "ProcessRunner.UsePosixSpawn";

    /// <summary>Loads position-independent code.</summary>
    /// <param name="code">The instructions.</param>
    /// <param name="name">
    /// The name of the page in /proc/PID/maps, if the kernel supports names (Linux 5.17, CONFIG_ANON_VMA_NAME).
    /// </param>
    /// <returns>
    /// The address of the code; 0 if this machine allows new code in neither way, or if the host forbids it.
    /// </returns>
    public static nint Load(ReadOnlySpan<byte> code, string name)
    {
        if (AppContext.TryGetSwitch(UsePosixSpawn, out bool isOn) && isOn)
        {
            return 0;
        }

        nint address = LoadIntoMemory(code, name);
        return address != 0 ? address : LoadFromFile(code, name);
    }

    private static nint LoadIntoMemory(ReadOnlySpan<byte> code, string name)
    {
        nuint length = (nuint)Environment.SystemPageSize;
        void* page = LibC.Map(
            null, length, LibC.PROT_READ | LibC.PROT_WRITE, LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS, -1, 0);
        if ((nint)page == -1)
        {
            return 0;
        }

        code.CopyTo(new Span<byte>(page, code.Length));
        if (LibC.Protect(page, length, LibC.PROT_READ | LibC.PROT_EXEC) < 0)
        {
            _ = LibC.Unmap(page, length);
            return 0;
        }

        _ = LibC.SetName(page, length, name);
        return (nint)page;
    }

    private static nint LoadFromFile(ReadOnlySpan<byte> code, string name)
    {
        int file = LibC.CreateMemoryFile(name, LibC.MFD_CLOEXEC);
        if (file < 0)
        {
            return 0;
        }

        ulong* before = stackalloc ulong[FileSizeSignal.MaskWords];
        FileSizeSignal.Block(before);
        nint written;
        fixed (byte* first = code)
        {
            written = LibC.PWrite(file, first, (nuint)code.Length, 0);
        }

        FileSizeSignal.Restore(before, written < 0 ? Marshal.GetLastPInvokeError() : 0);
        nint page = -1;
        if (written == code.Length)
        {
            page = (nint)LibC.Map(
                null,
                (nuint)Environment.SystemPageSize,
                LibC.PROT_READ | LibC.PROT_EXEC,
                LibC.MAP_PRIVATE,
                file,
                0);
        }

        _ = LibC.Close(file);
        return page == -1 ? 0 : page;
    }
}
