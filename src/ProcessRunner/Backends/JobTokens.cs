using System;

namespace ProcessRunner.Backends;

/// <summary>The tokens of a jobserver, each of which allows one more job. Not thread-safe; never blocks.</summary>
internal abstract class JobTokens : IDisposable
{
    /// <summary>How many are held now.</summary>
    public abstract int Held { get; }

    /// <summary>Takes one, if there is one now.</summary>
    public abstract bool TryTake();

    /// <summary>Gives one back.</summary>
    public abstract void Return();

    /// <summary>Gives all of them back.</summary>
    public abstract void Dispose();
}
