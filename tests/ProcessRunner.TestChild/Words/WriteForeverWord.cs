using System;
using System.Globalization;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

internal sealed class WriteForeverWord : Word
{
    public const string Id = "write-forever";

    private int _interval;

    public override string Name => Id;

    public override string Values => "MS";

    public override string Description => "prints 'line 0', 'line 1'... every MS milliseconds until it cannot";

    protected override int ValueCount => 1;

    public override void Run()
    {
        for (long number = 0; ; number++)
        {
            StandardStreams.WriteLine(
                StandardStreams.Output, "line " + number.ToString(CultureInfo.InvariantCulture));
            Thread.Sleep(_interval);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _interval = (int)Number("MS", values[0], 0, LongestDelay);
}
