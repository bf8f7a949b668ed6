using System;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Represents a connection between two children that this process pumps: what the first one writes is queued for the
/// second one.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards all fields. The gate of the second child is acquired after it is released. The writing side may
/// come first, and waits until the reading side is there or never will be.
/// </remarks>
internal sealed class PumpedConnection : PipeConnection
{
    private readonly object _gate = new();
    private QueueFeed? _reader;
    private bool _isCutOff;
    private bool _isDisposed;

    /// <summary>Adds the reading side. It sees the end of its input at once if the writing side is cut off.</summary>
    public void Attach(QueueFeed reader)
    {
        bool isTooLate;
        using (Uninterruptible.Lock(_gate))
        {
            _reader = reader;
            isTooLate = _isCutOff;
            Monitor.PulseAll(_gate);
        }

        if (isTooLate)
        {
            reader.CutOff();
        }
    }

    /// <summary>Writes bytes for the second child, and waits for it to read.</summary>
    /// <returns>False if it no longer reads, or never will.</returns>
    public bool Write(ReadOnlySpan<byte> bytes) => AwaitReader() is QueueFeed reader && reader.Write(bytes);

    /// <summary>Closes the writing side: the second child sees the end of its input.</summary>
    public void Complete() => AwaitReader()?.Complete();

    /// <summary>Ends each wait of the writing side. Thread-safe.</summary>
    public void CutOff()
    {
        QueueFeed? reader;
        using (Uninterruptible.Lock(_gate))
        {
            _isCutOff = true;
            reader = _reader;
            Monitor.PulseAll(_gate);
        }

        reader?.CutOff();
    }

    /// <summary>Ends the wait for a reading side: it is there, or never will be.</summary>
    public override void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isDisposed = true;
            Monitor.PulseAll(_gate);
        }
    }

    private QueueFeed? AwaitReader()
    {
        using (Uninterruptible.Lock(_gate))
        {
            Uninterruptible.Do(this, static connection =>
            {
                while (connection is { _reader: null, _isDisposed: false, _isCutOff: false })
                {
                    Monitor.Wait(connection._gate);
                }
            });
            return _reader;
        }
    }
}
