using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// Names and texts that XML, HTML, JSON or Markdown could trip over.
public sealed class OddNameTests
{
    [Fact(DisplayName = "odd <b>&\"'`]]> \u0001 \u001b[31m \ud800 \ufffe ```` name")]
    public void Fails()
    {
        Console.WriteLine("odd output </script> ]]> \u0000 \u001b[31m red ``` end");
        Assert.Fail("odd message </pre> ]]> \u0002 \udc00 \uffff end");
    }

    [Fact(DisplayName = "odd but fine: \U0001f600 | ä\u0085")]
    [Trait("Odd", "a=b <c> \u0003")]
    public void Passes()
    {
    }
}
