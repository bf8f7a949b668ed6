using PTest.Verdicts;

namespace PTest.Output;

/// <summary>Counts verdicts. The thread of the run adds, and the screen's thread reads.</summary>
internal sealed class Tally
{
    private int _passed;
    private int _failed;
    private int _flaky;

    public int Passed => _passed;

    public int Failed => _failed;

    public int Flaky => _flaky;

    public void Add(TestRow row)
    {
        _flaky += row.Verdict == Verdict.Flaky ? 1 : 0;
        if (row.Verdict != Verdict.Skip)
        {
            _failed += row.IsFailure ? 1 : 0;
            _passed += row.IsFailure ? 0 : 1;
        }
    }
}
