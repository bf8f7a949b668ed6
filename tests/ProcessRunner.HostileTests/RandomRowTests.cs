using System;
using Xunit;

namespace ProcessRunner.HostileTests;

// The data differ in each process, and so does the place of the one that does not.
public sealed class RandomRowTests
{
    public static TheoryData<string> Rows => State.IsFirst("random-rows")
        ? ["same", Random("good"), Random("bad"), Random("good")]
        : [Random("good"), Random("bad"), Random("good"), "same"];

    [Theory]
    [MemberData(nameof(Rows))]
    public void Row(string text) => Assert.DoesNotContain("bad", text);

    private static string Random(string text) => $"{text} {Guid.NewGuid()}";
}
