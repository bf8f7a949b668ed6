using System;

namespace ProcessRunner.TestChild.Words;

/// <summary>Writes its value as a line to one of the two output descriptors.</summary>
internal abstract class TextWord : Word
{
    private string _text = "";

    public override string Values => "TEXT";

    protected override int ValueCount => 1;

    protected abstract int Descriptor { get; }

    public override void Run() => StandardStreams.WriteLine(Descriptor, _text);

    protected override void Accept(ReadOnlySpan<string> values) => _text = values[0];
}
