using System.Collections.Generic;
using ProcessRunner;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Hears what happens in a run: the screen, the reports that are written as it goes.</summary>
internal interface IRunListener
{
    /// <summary>Hears of tests that have their verdict.</summary>
    void OnSettled(IReadOnlyList<TestRow> rows);

    /// <summary>Hears of an ended process.</summary>
    void OnProcess(UnitRun run, BatchResult result, UnitEnd end)
    {
    }

    /// <summary>Hears of the progress, on another thread and a few times a second.</summary>
    void OnTick(BatchRun batch, int settled, int count)
    {
    }
}
