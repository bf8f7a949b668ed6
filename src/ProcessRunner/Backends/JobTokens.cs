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
    public abstract void Return();

    /// <summary>Returns all tokens.</summary>
    public abstract void Dispose();
}
