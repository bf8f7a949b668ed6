using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class ReturnWord : Word
{
    public const string Id = "return";

    private int _code;

    public override string Name => Id;

    public override string Values => "CODE";

    public override string Description => "ends at once with the exit code CODE";

    protected override int ValueCount => 1;

    public override void Run() => Environment.Exit(_code);

    protected override void Accept(ReadOnlySpan<string> values) =>
        _code = (int)Number("CODE", values[0], 0, byte.MaxValue);
}
