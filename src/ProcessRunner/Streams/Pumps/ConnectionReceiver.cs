using System;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Passes the output of one child to the input of the next. Once the next one no longer reads, the pipe of the first is
/// closed, so that it learns of it by its next write.
/// </summary>
internal sealed class ConnectionReceiver(RunStreams run, ChildOutput stream, PumpedConnection connection)
    : ByteReceiver
{
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        if (!connection.Write(bytes))
        {
            run.Leave(stream);
        }
    }

    public override void OnEnd(bool isWhole) => connection.Complete();

    public override void CallOff() => connection.CutOff();
}
