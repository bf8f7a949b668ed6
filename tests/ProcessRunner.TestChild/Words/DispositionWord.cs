using System;

namespace ProcessRunner.TestChild.Words;

/// <summary>Represents a word that sets the disposition of a signal, which KILL and STOP do not allow.</summary>
internal abstract class DispositionWord : SignalBaseWord
{
    protected override void Accept(ReadOnlySpan<string> values)
    {
        base.Accept(values);
        if (Signal is SignalNames.Kill or SignalNames.Stop)
        {
            throw BadValue("SIGNAL is one that can be caught", SignalName);
        }
    }

    protected void SetDisposition(nint disposition)
    {
        if (LibC.SetDisposition(Signal, disposition) == LibC.DispositionError)
        {
            throw new WordFailedException($"'{Name}': {SignalName} keeps its disposition");
        }
    }
}
