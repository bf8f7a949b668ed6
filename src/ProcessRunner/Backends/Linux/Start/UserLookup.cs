using System;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>Provides the ids of users by their names, from the databases of the system (nsswitch.conf(5)).</summary>
[SupportedOSPlatform("linux")]
internal static unsafe class UserLookup
{
    private const int FirstRoom = 1024;
    private const int LargestRoom = 1024 * 1024;
    private const int FirstGroups = 64;

    // NGROUPS_MAX: no process can have more.
    private const int MostGroups = 65536;

    /// <summary>Returns the identity with its ids.</summary>
    /// <exception cref="LaunchException">There is no such user, or the databases cannot be read now.</exception>
    public static LaunchIdentity Resolve(LaunchIdentity identity)
    {
        if (identity.UserName is not string name)
        {
            return identity;
        }

        LibC.UserEntry entry = Find(name);
        return new LaunchIdentity(null, entry.pw_uid, entry.pw_gid, new ValueList<uint>(Groups(name, entry.pw_gid)));
    }

    private static LibC.UserEntry Find(string name)
    {
        LibC.UserEntry entry;
        for (int size = FirstRoom; ; size *= 2)
        {
            LibC.UserEntry* found;
            int error;
            fixed (byte* room = Buffers.Allocate<byte>(size))
            {
                error = LibC.GetUser(name, &entry, room, (nuint)size, &found);
            }

            if (error == 0 && found is not null)
            {
                return entry;
            }

            if (error != Errno.ERANGE || size == LargestRoom)
            {
                throw Failure(error == 0 ? Errno.ENOENT : error, $"there is no user '{name}'");
            }
        }
    }

    private static ImmutableArray<uint> Groups(string name, uint group)
    {
        for (int room = FirstGroups; ;)
        {
            int count = room;
            uint[] groups = new uint[room];
            fixed (uint* first = groups)
            {
                if (LibC.GetGroups(name, group, first, &count) >= 0)
                {
                    return [.. groups.AsSpan(0, count)];
                }
            }

            // Only a larger count says that the room did not suffice.
            if (count <= room || count > MostGroups)
            {
                throw Failure(
                    count > MostGroups ? Errno.EINVAL : Marshal.GetLastPInvokeError(),
                    $"the groups of the user '{name}' cannot be read, or are more than {MostGroups}");
            }

            room = count;
        }
    }

    // A shortage says nothing about the user.
    private static LaunchException Failure(int error, string reason) =>
        error is Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM or Errno.EAGAIN
            ? StartDiagnosis.Explain(new Win32Exception(error))
            : new LaunchException(error, LaunchStep.BadIdentity, reason);
}
