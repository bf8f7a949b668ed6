using System;
using System.IO;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>
/// Verifies reading from an ended child. A file replaces the pipe, because only the superuser can make a pipe this
/// large. The kernel reports the available bytes of both alike.
/// </summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class PipeDrainTests
{
    private const int Megabyte = 1024 * 1024;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Megabyte)]
    [InlineData((7 * Megabyte) + 1)]
    public void Drain_OfAnySize_TakesAllAndSeesTheEnd(int size) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        WatchedDescriptor pipe = Open(directory, size);
        CountingSink sink = new();
        PipeDrain.Drain(ref pipe, sink, null!);
        sink.Total.Should().Be(size);
        pipe.IsOpen.Should().BeFalse("it was read to its end");
    });

    [Fact]
    public void Drain_WhileAnotherOneWritesOnAndOn_ComesToItsEnd() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        WatchedDescriptor pipe = Open(directory, Megabyte);
        CountingSink sink = new();
        sink.OnBytes = count => File.AppendAllBytes(directory.At("pipe"), new byte[count]);
        PipeDrain.Drain(ref pipe, sink, null!);
        sink.Total.Should().BeInRange(Megabyte, 4 * Megabyte);
        pipe.IsOpen.Should().BeTrue();
        pipe.Close(null!);
    });

    private static WatchedDescriptor Open(TemporaryDirectory directory, int size)
    {
        File.WriteAllBytes(directory.At("pipe"), new byte[size]);
        int descriptor = NativeMethods.Open(directory.At("pipe"), 0);
        return new WatchedDescriptor(OwnedDescriptor.From(descriptor, "open"), EventPart.Output);
    }

    private sealed class CountingSink : OutputSink
    {
        public long Total { get; private set; }

        public Action<int> OnBytes { private get; set; } = _ => { };

        public override Span<byte> GetRoom() => default;

        public override void Commit(int count)
        {
        }

        public override void Append(ReadOnlySpan<byte> bytes)
        {
            Total += bytes.Length;
            OnBytes(bytes.Length);
        }
    }
}
