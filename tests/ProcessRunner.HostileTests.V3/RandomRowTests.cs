using System;
using Xunit;

namespace HostileV3;

// The data differ in each process.
public sealed class RandomRowTests
{
    public static TheoryData<string> Rows => ["same", Random("good"), Random("bad"), Random("good")];

    [Theory]
    [MemberData(nameof(Rows))]
    public void Row(string text) => Assert.DoesNotContain("bad", text);

    private static string Random(string text) => $"{text} {Guid.NewGuid()}";
}
