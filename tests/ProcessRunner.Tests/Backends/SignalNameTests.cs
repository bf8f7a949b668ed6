using System.Linq;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Backends;
using Xunit;

namespace ProcessRunner.Tests.Backends;

/// <summary>Verifies the numbers of signals against the names that .NET has for them.</summary>
public sealed class SignalNameTests
{
    // Windows lacks the names from SIGCHLD on, but not their values.
    private static readonly PosixSignal[] s_signals =
        [.. Enumerable.Range(1, 10).Select(value => (PosixSignal)(-value))];

    [Fact]
    public void Signal_HasANumberThatLeadsBackToIt()
    {
        int[] numbers = [.. s_signals.Select(SignalName.NumberOf)];
        numbers.Should().OnlyHaveUniqueItems().And.OnlyContain(number => number > 0 && number < 32);
        numbers.Select(SignalName.Named).Should().Equal(s_signals);
        numbers.Select(number => SignalName.NumberOf((PosixSignal)number)).Should().Equal(numbers);
        s_signals.Where(SignalName.Ends).Should().Equal(s_signals[..4]);
        numbers.Where(number => SignalName.Ends((PosixSignal)number)).Should().Equal(numbers[..4]);
        SignalName.Ends((PosixSignal)9).Should().BeTrue();
    }
}
