using System;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with the bytes as they arrive, and waits for the callback's task.</summary>
internal sealed class AwaitedBytesReceiver(Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask> callback)
    : UserReceiver
{
    private readonly AwaitedCalls<ReadOnlyMemory<byte>> _calls = new(callback);

    // Copies the bytes, because the callback may keep them even if the delivery is abandoned meanwhile.
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        byte[] copy = Buffers.Allocate<byte>(bytes.Length);
        bytes.CopyTo(copy);
        Call<ReadOnlyMemory<byte>>(copy, _calls.Invoke);
    }

    public override void CallOff() => _calls.CallOff();
}
