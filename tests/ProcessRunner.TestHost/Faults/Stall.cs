using System.Threading;

namespace ProcessRunner.TestHost.Faults;

/// <summary>Holds up the threads that make a call, until it ends. They then get EINTR. Thread-safe.</summary>
internal sealed class Stall(string call)
{
    private const int EINTR = 4;

    private readonly object _gate = new();
    private bool _isOn;
    private bool _isReached;
    private long _calls;
    private long _callsAtEnd;

    /// <summary>Answers the fault point.</summary>
    public int Decide(string asked)
    {
        if (asked != call)
        {
            return 0;
        }

        lock (_gate)
        {
            _calls++;
            _isReached = _isOn;
            Monitor.PulseAll(_gate);
            while (_isOn)
            {
                Monitor.Wait(_gate);
            }

            return _isReached ? EINTR : 0;
        }
    }

    /// <summary>Holds up each thread that makes the call from now on.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            _isOn = true;
            _isReached = false;
        }
    }

    /// <summary>Blocks until a thread is held up.</summary>
    public void Await()
    {
        lock (_gate)
        {
            while (!_isReached)
            {
                Monitor.Wait(_gate);
            }
        }
    }

    /// <summary>Lets the threads go on.</summary>
    public void End()
    {
        lock (_gate)
        {
            _isOn = false;
            _callsAtEnd = _calls;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Blocks until a call has been made after <see cref="End"/>.</summary>
    public void AwaitNextCall()
    {
        lock (_gate)
        {
            while (_calls == _callsAtEnd)
            {
                Monitor.Wait(_gate);
            }
        }
    }
}
