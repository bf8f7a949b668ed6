using System.Threading;
using Xunit;

namespace HostileV3;

// Since xunit.v3 4.0 a class or a test can ask to run alone, too.
[TestClass(DisableParallelization = true)]
public sealed class ExclusiveClassTests
{
    [Fact]
    public void ClassWaits_Passes() => Thread.Sleep(500);
}

public sealed class ExclusiveFactTests
{
    [Fact(DisableParallelization = true)]
    public void FactWaits_Passes() => Thread.Sleep(500);
}
