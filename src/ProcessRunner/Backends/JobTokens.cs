using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents the tokens of the build tool around this process, each of which permits one more job. Not thread-safe;
/// never blocks.
/// </summary>
internal abstract class JobTokens : IDisposable
{
    /// <summary>Gets how many tokens are held.</summary>
    public abstract int Held { get; }

    /// <summary>Takes a token if one is available now.</summary>
    public abstract bool TryTake();

    /// <summary>Returns a token.</summary>
    /// <returns>False if there is no room for it now, because others have returned more than they took.</returns>
    public abstract bool TryReturn();

    /// <summary>Returns all tokens. Those without room are dropped.</summary>
    public abstract void Dispose();
}
