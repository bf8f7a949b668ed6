using System;
using System.Collections.Immutable;
using System.Diagnostics;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner;

/// <summary>Represents the user and the groups of users as which a child runs.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record ProcessIdentity
{
    /// <summary>Initializes an identity from ids.</summary>
    /// <param name="userId">The id of the user.</param>
    /// <param name="groupId">The id of the group.</param>
    /// <param name="groups">The ids of the supplementary groups, of which the child has no others.</param>
    public ProcessIdentity(uint userId, uint groupId, params ReadOnlySpan<uint> groups) =>
        Launch = new LaunchIdentity(null, userId, groupId, new ValueList<uint>([.. groups]));

    private ProcessIdentity(string userName) =>
        Launch = new LaunchIdentity(userName, 0, 0, ValueList<uint>.Empty);

    /// <summary>Gets the name of the user, whose groups each start looks up; null if the ids are given.</summary>
    public string? UserName => Launch.UserName;

    /// <summary>Gets the id of the user; null if the name is given.</summary>
    public uint? UserId => UserName is null ? Launch.UserId : null;

    /// <summary>Gets the id of the group; null if the name is given.</summary>
    public uint? GroupId => UserName is null ? Launch.GroupId : null;

    /// <summary>Gets the ids of the supplementary groups; empty if the name is given.</summary>
    public ImmutableArray<uint> Groups => Launch.Groups.Items;

    internal LaunchIdentity Launch { get; }

    /// <summary>Creates the identity of a user with its own group and all groups that it belongs to.</summary>
    /// <param name="name">The name of the user.</param>
    /// <exception cref="ArgumentException">The name is null or empty, or contains a NUL character.</exception>
    public static ProcessIdentity OfUser(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return name.Contains('\0')
            ? throw new ArgumentException("A user name cannot contain a NUL character.", nameof(name))
            : new ProcessIdentity(name);
    }

    /// <summary>Returns the name or the ids.</summary>
    public override string ToString() => UserName ?? $"{UserId}:{GroupId}";
}
