using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The spawn threads of an engine, made when they are needed and kept to its end. Any thread may rent one. Nobody ever waits
/// for one: a start can hang in the file system, and must not hold up the starts of others.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything. Outside of it only the threads themselves are started and ended. Taken inside no other lock.
/// </remarks>
/// <param name="most">How many there are at most.</param>
[SupportedOSPlatform("linux")]
internal sealed class SpawnThreads(int most) : IDisposable
{
    private readonly object _gate = new();
    private readonly Stack<SpawnThread> _idle = new();
    private int _count;
    private bool _isClosed;

    /// <summary>How many there are.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _count;
            }
        }
    }

    /// <summary>Lends one, until <see cref="Return"/>.</summary>
    /// <returns>Null if all are lent, if there can be none here or now, or if the engine is at its end.</returns>
    public SpawnThread? Rent()
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_idle.TryPop(out SpawnThread? idle))
            {
                return idle;
            }

            if (_isClosed || _count == most)
            {
                return null;
            }

            _count++;
        }

        SpawnThread? made = null;
        bool isPossible = true;
        try
        {
            made = SpawnThread.Open();
            isPossible = made is not null;
        }
        catch (Win32Exception)
        {
            // The next one who asks may have more luck; this one can do without.
        }

        if (made is null)
        {
            using (Uninterruptible.Lock(_gate))
            {
                _count--;
                _isClosed |= !isPossible;
            }
        }

        return made;
    }

    /// <summary>Takes one back.</summary>
    public void Return(SpawnThread thread)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!_isClosed)
            {
                _idle.Push(thread);
                return;
            }

            _count--;
        }

        thread.Close();
    }

    /// <summary>Ends those that nobody uses; the others end when they are given back.</summary>
    public void Dispose()
    {
        SpawnThread[] idle;
        using (Uninterruptible.Lock(_gate))
        {
            _isClosed = true;
            idle = [.. _idle];
            _idle.Clear();
            _count -= idle.Length;
        }

        Array.ForEach(idle, thread => thread.Close());
    }
}
