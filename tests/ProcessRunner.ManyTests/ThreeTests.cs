using Xunit;

namespace ProcessRunner.ManyTests;

// The tests of each of the generated classes.
public abstract class ThreeTests
{
    [Fact]
    public void One_Passes()
    {
    }

    [Fact]
    public void Two_Passes()
    {
    }

    [Fact]
    public void Three_Passes()
    {
    }
}
