using System;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams;

/// <summary>What a target or a source needs to know to serve one stream of one run.</summary>
/// <param name="Command">What runs.</param>
/// <param name="Child">The child, whose object is the gate.</param>
/// <param name="Stream">Which of its outputs.</param>
/// <param name="Threads">Where receivers are called.</param>
/// <param name="Budget">What captures of all children may take together.</param>
/// <param name="Lines">Where live lines go.</param>
/// <param name="StopForLimit">Stops the child because it wrote more than it may; called with the gate held.</param>
internal sealed record SinkContext(
    ProcessCommand Command,
    BackendChild Child,
    StandardStream Stream,
    DeliveryThreads Threads,
    CaptureBudget Budget,
    LineChannel Lines,
    Action StopForLimit)
{
    /// <summary>The sink of the whole stream, of which others may be parts.</summary>
    public StreamSink? Whole { get; private set; }

    /// <summary>Makes the sink of the whole stream.</summary>
    public StreamSink CreateWhole(OutputTarget target) => Whole = target.CreateSink(this);

    /// <summary>A part of the sink has room again; the gate is held.</summary>
    public void ResumeUnlessFull()
    {
        if (Whole is not { IsFull: true })
        {
            Child.ResumeOutput(Stream);
        }
    }
}
