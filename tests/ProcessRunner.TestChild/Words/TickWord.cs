using System;
using System.Globalization;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

internal sealed class TickWord : Word
{
    public const string Id = "tick";

    private long _count;
    private int _interval;

    public override string Name => Id;

    public override string Values => "COUNT MS";

    public override string Description => "prints 'tick 0', 'tick 1'..., COUNT lines, MS milliseconds apart";

    protected override int ValueCount => 2;

    public override void Run()
    {
        for (long number = 0; number < _count; number++)
        {
            if (number > 0)
            {
                Thread.Sleep(_interval);
            }

            StandardStreams.WriteLine(
                StandardStreams.Output, "tick " + number.ToString(CultureInfo.InvariantCulture));
        }
    }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        _count = Number("COUNT", values[0], 0, long.MaxValue);
        _interval = (int)Number("MS", values[1], 0, LongestDelay);
    }
}
