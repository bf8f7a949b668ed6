using System;

namespace ProcessRunner.TestChild.Words;

/// <summary>Represents a word whose first value is a signal.</summary>
internal abstract class SignalBaseWord : Word
{
    public override string Values => "SIGNAL";

    protected override int ValueCount => 1;

    /// <summary>Gets the name of the signal, without SIG.</summary>
    protected string SignalName { get; private set; } = "";

    protected int Signal { get; private set; }

    protected override void Accept(ReadOnlySpan<string> values)
    {
        SignalName = values[0];
        Signal = SignalNames.Number(SignalName);
        if (Signal == 0)
        {
            throw BadValue("SIGNAL is a name like TERM", SignalName);
        }
    }
}
