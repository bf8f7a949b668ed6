using System.Runtime.CompilerServices;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Makes the text of an invariant only if the invariant does not hold.</summary>
[InterpolatedStringHandler]
internal ref struct InvariantText
{
    private DefaultInterpolatedStringHandler _text;

    public InvariantText(int literalLength, int formattedCount, bool holds, out bool isWanted)
    {
        isWanted = !holds;
        _text = isWanted ? new DefaultInterpolatedStringHandler(literalLength, formattedCount) : default;
    }

    public void AppendLiteral(string value) => _text.AppendLiteral(value);

    public void AppendFormatted<T>(T value) => _text.AppendFormatted(value);

    public override string ToString() => _text.ToStringAndClear();
}
