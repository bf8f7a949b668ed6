using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>Verifies the entries of descriptors in the epoll of a reactor.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class WatchedDescriptorTests
{
    // The child of a concurrent start holds such a copy between its clone and its exec.
    [Fact]
    public void Close_WhileACopyIsOpen_LeavesNoEntry() => Guard.Run(() =>
    {
        using EpollReactor reactor = new(index: 0);
        ulong token = EventToken.Of(slot: 0, generation: 0xC0FFEE42);
        OwnedDescriptor.OpenPipe(out OwnedDescriptor readEnd, out OwnedDescriptor writeEnd);
        OwnedDescriptor copy = OwnedDescriptor.From(LibC.Fcntl(readEnd.Number, LibC.F_DUPFD_CLOEXEC, 3), "fcntl");
        WatchedDescriptor watched = new(readEnd, EventPart.Output);
        watched.Register(reactor, token, isWatched: true);
        EntriesWith(token).Should().HaveCount(1);

        watched.Close(reactor);
        EntriesWith(token).Should().BeEmpty("it would name a child that has left");
        copy.Close();
        writeEnd.Close();
    });

    // As proc(5) shows them: "tfd: 5 events: 1d data: c0ffee4200000001 ...".
    private static List<string> EntriesWith(ulong token)
    {
        string data = EventToken.With(token, EventPart.Output).ToString("x", CultureInfo.InvariantCulture);
        return [.. Directory.GetFiles("/proc/self/fdinfo").SelectMany(ReadLines).Where(line => line.Contains(data))];
    }

    // Other tests close descriptors meanwhile.
    private static string[] ReadLines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (IOException)
        {
            return [];
        }
    }
}
