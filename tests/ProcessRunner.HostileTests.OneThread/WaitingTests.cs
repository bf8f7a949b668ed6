using System.Threading;
using Xunit;

namespace HostileOneThread;

// Two collections, which xunit runs one after another because of the number of threads.
public sealed class OneTests
{
    [Fact]
    public void Waits() => Thread.Sleep(500);
}

public sealed class OtherTests
{
    [Fact]
    public void Waits() => Thread.Sleep(500);
}
