using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class EnvWord : Word
{
    public const string Id = "env";

    private string _variable = "";

    public override string Name => Id;

    public override string Values => "NAME";

    public override string Description => "prints the value of NAME, or 'NAME is unset' on standard error";

    protected override int ValueCount => 1;

    public override void Run()
    {
        if (Environment.GetEnvironmentVariable(_variable) is { } value)
        {
            StandardStreams.WriteLine(StandardStreams.Output, value);
        }
        else
        {
            StandardStreams.WriteLine(StandardStreams.Error, _variable + " is unset");
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) => _variable = values[0];
}
