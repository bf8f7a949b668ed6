using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with lines.</summary>
internal sealed class LineReceiver : UserReceiver
{
    private readonly LineSplitter _splitter;
    private readonly Action? _callOff;

    /// <param name="run">The run.</param>
    /// <param name="stream">Which of its streams.</param>
    /// <param name="options">Where lines end.</param>
    /// <param name="callback">Takes the lines.</param>
    /// <param name="callOff">Ends a wait inside the callback; null if that cannot be done.</param>
    public LineReceiver(
        RunStreams run, StandardStream stream, LineOptions options, Action<OutputLine> callback, Action? callOff = null)
    {
        _splitter = new LineSplitter(run.Command.Encoding, options, stream, line => Call(line, callback));
        _callOff = callOff;
    }

    public override bool TellsTime => true;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => _splitter.Feed(bytes, readAt);

    public override void OnEnd(bool isWhole)
    {
        if (isWhole)
        {
            _splitter.Flush();
        }
    }

    public override void CallOff() => _callOff?.Invoke();
}
