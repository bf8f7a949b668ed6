using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with lines.</summary>
internal sealed class LineReceiver : UserReceiver
{
    private readonly LineSplitter _splitter;
    private readonly Action? _callOff;

    /// <summary>Creates a receiver for one stream.</summary>
    /// <param name="run">The run.</param>
    /// <param name="stream">The stream of the run.</param>
    /// <param name="options">The options for line ends.</param>
    /// <param name="callback">The callback that receives the lines.</param>
    /// <param name="callOff">An action that ends a wait inside the callback, or null if that is impossible.</param>
    public LineReceiver(
        RunStreams run, ChildOutput stream, LineOptions options, Action<OutputLine> callback, Action? callOff = null)
    {
        _splitter = new LineSplitter(
            run.Command.DecodingOf(stream).Make(), options, stream, line => Call(line, callback));
        _callOff = callOff;
        Patience = options.PromptDelay;
    }

    public override TimeSpan Patience { get; }

    public override bool TellsTime => true;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => _splitter.Feed(bytes, readAt);

    public override void OnSilence() => _splitter.EmitBegun();

    public override void OnEnd(bool isWhole)
    {
        if (isWhole)
        {
            _splitter.Flush();
        }
    }

    public override void CallOff() => _callOff?.Invoke();
}
