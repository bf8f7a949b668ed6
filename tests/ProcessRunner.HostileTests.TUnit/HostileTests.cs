using System.Threading.Tasks;

namespace HostileTUnit;

public sealed class OrdinaryTests
{
    [Test]
    public async Task Waits() => await Task.Delay(500);

    [Test]
    public async Task AlsoWaits() => await Task.Delay(500);
}

public sealed class ExclusiveTests
{
    [Test]
    [NotInParallel]
    public async Task Waits_Passes() => await Task.Delay(500);
}
