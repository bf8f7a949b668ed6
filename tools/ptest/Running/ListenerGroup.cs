using System;
using System.Collections.Generic;
using ProcessRunner;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Passes on what happens in a run to several listeners.</summary>
internal sealed class ListenerGroup(params IRunListener[] listeners) : IRunListener
{
    public void OnSettled(IReadOnlyList<TestRow> rows) =>
        Array.ForEach(listeners, listener => listener.OnSettled(rows));

    public void OnProcess(UnitRun run, BatchResult result, UnitEnd end) =>
        Array.ForEach(listeners, listener => listener.OnProcess(run, result, end));

    public void OnTick(BatchRun batch, int settled, int count) =>
        Array.ForEach(listeners, listener => listener.OnTick(batch, settled, count));
}
