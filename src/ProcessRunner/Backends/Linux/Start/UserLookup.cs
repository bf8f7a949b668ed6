using System;
using System.Collections.Immutable;
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

    /// <summary>Returns the identity with its ids.</summary>
    /// <exception cref="LaunchException">There is no such user.</exception>
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
                throw new LaunchException(
                    error == 0 ? Errno.ENOENT : error, LaunchStep.BadIdentity, $"there is no user '{name}'");
            }
        }
    }

    private static ImmutableArray<uint> Groups(string name, uint group)
    {
        int count = 64;
        while (true)
        {
            uint[] groups = new uint[count];
            fixed (uint* first = groups)
            {
                if (LibC.GetGroups(name, group, first, &count) >= 0)
                {
                    return [.. groups.AsSpan(0, count)];
                }
            }

            count = Math.Max(count, groups.Length * 2);
        }
    }
}
