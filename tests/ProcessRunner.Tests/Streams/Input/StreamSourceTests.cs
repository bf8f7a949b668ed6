using System;
using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>
/// Verifies the bytes that a run takes from the stream of its input, and the bytes that it leaves there.
/// </summary>
[Collection(Alone.Name)]
public sealed class StreamSourceTests
{
    private const int Unavailable = 11;

    [Fact]
    public void Run_ThatHasEnded_TakesNothingMoreFromTheStream() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using ManualResetEventSlim isBlocked = new();
        using ManualResetEventSlim mayGoOn = new();
        using ChildProcess blocker = Telling(() =>
        {
            isBlocked.Set();
            mayGoOn.Wait();
        }).Start(engine);
        isBlocked.Wait();

        // The only thread that could read the stream is in a callback, and no other thread can be created.
        FaultPoint.Decide = call => call == "thread" ? Unavailable : 0;
        try
        {
            using MemoryStream stream = new(new byte[1000]);
            ProcessCommand command = new ProcessCommand("true") with { StandardInput = InputSource.FromStream(stream) };
            command.Run(engine).EnsureSuccess();
            mayGoOn.Set();
            Telling(() => { }).Run(engine).EnsureSuccess();
            stream.Position.Should().Be(0, "the run was over before its turn came");
        }
        finally
        {
            FaultPoint.Decide = null;
            mayGoOn.Set();
        }
    });

    private static ProcessCommand Telling(Action receive) =>
        new ProcessCommand("echo", "text") with { StandardOutput = OutputTarget.ToLines(_ => receive()) };
}
