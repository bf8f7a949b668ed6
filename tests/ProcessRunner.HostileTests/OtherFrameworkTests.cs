using NUnit.Framework;

namespace ProcessRunner.HostileTests;

public sealed class OtherFrameworkTests
{
    [Test]
    public void Passes()
    {
    }
}
