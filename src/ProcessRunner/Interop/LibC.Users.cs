using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int PR_GET_DUMPABLE = 3;
    public const int PR_SET_DUMPABLE = 4;

    /// <summary>Looks up a user. Returns an errno instead of setting it; the result is null for no such user.</summary>
    [LibraryImport(Library, EntryPoint = "getpwnam_r", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetUser(string name, UserEntry* entry, byte* room, nuint size, UserEntry** result);

    /// <summary>Lists the groups of a user.</summary>
    /// <returns>
    /// The number of groups; -1 if the room does not suffice, with the number in count, or for another reason, with the
    /// count as it was.
    /// </returns>
    public static int GetGroups(string name, uint group, uint* groups, int* count) =>
        FaultPoint.Fails("getgrouplist") ? -1 : getgrouplist(name, group, groups, count);

    [LibraryImport(Library, SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int getgrouplist(string name, uint group, uint* groups, int* count);

    /// <summary>Gets or sets whether other processes of the user may look into this one.</summary>
    [LibraryImport(Library, EntryPoint = "prctl", SetLastError = true)]
    public static partial int Dumpable(int option, nint value, nint third, nint fourth, nint fifth);

    /// <summary>Represents the part of struct passwd that this library uses, with its size.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 48)]
    public struct UserEntry
    {
        [FieldOffset(16)]
        public uint pw_uid;

        [FieldOffset(20)]
        public uint pw_gid;
    }
}
