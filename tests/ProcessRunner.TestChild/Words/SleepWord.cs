using System;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

internal sealed class SleepWord : Word
{
    public const string Id = "sleep";

    private int _delay;

    public override string Name => Id;

    public override string Values => "MS";

    public override string Description => "waits MS milliseconds";

    protected override int ValueCount => 1;

    public override void Run() => Thread.Sleep(_delay);

    protected override void Accept(ReadOnlySpan<string> values) =>
        _delay = (int)Number("MS", values[0], 0, LongestDelay);
}
