using NUnit.Framework;

namespace HostileLongNames;

// The build adds tests with long names. An id with a quote needs a filter by the names of all tests.
public sealed partial class LongTests
{
    [TestCase("\"")]
    public void Quote(string text) => Assert.That(text, Is.Not.Empty);
}

public sealed class OtherTests
{
    [Test]
    public void Passes()
    {
    }
}
