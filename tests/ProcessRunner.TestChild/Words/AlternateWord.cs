using System;
using System.Globalization;

namespace ProcessRunner.TestChild.Words;

internal sealed class AlternateWord : Word
{
    public const string Id = "alternate";

    private long _count;

    public override string Name => Id;

    public override string Values => "COUNT";

    public override string Description => "COUNT pairs: 'o0' on standard output, 'e0' on standard error, 'o1'...";

    protected override int ValueCount => 1;

    public override void Run()
    {
        for (long number = 0; number < _count; number++)
        {
            string text = number.ToString(CultureInfo.InvariantCulture);
            StandardStreams.WriteLine(StandardStreams.Output, "o" + text);
            StandardStreams.WriteLine(StandardStreams.Error, "e" + text);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _count = Number("COUNT", values[0], 0, long.MaxValue);
}
