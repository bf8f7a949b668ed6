using System;
using System.IO;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Input;

/// <summary>Provides input from a stream of the user, which other runs may read before and after this one.</summary>
internal sealed class UserStreamPump(RunStreams run, Stream stream) : StreamPump(run, stream)
{
    private readonly StreamUse _use = StreamUse.Of(stream);

    public override void Claim(IStreamOwner owner)
    {
        if (!_use.TryClaim(owner))
        {
            throw new InvalidOperationException(
                "Another run reads the stream of this InputSource.FromStream, and each would get some of its bytes.");
        }
    }

    // The run before this one may still be in its last read.
    protected override int Read(byte[] chunk)
    {
        using (Uninterruptible.Lock(_use.Reads))
        {
            return IsAbandoned ? 0 : base.Read(chunk);
        }
    }
}
