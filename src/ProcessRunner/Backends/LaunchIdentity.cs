using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends;

/// <summary>Describes the user as which a child runs.</summary>
/// <param name="UserName">The name of the user, whose ids the backend looks up; null if the ids are given.</param>
/// <param name="UserId">The id of the user.</param>
/// <param name="GroupId">The id of the group.</param>
/// <param name="Groups">The ids of the further groups.</param>
internal readonly record struct LaunchIdentity(string? UserName, uint UserId, uint GroupId, ValueList<uint> Groups);
