using System;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>Plays a program that ends in the middle of a batch, whose children the portable backend kills.</summary>
internal sealed class PortableBatchThatEnds : IScenario
{
    private const int Slots = 16;

    public string Name => "portable-batch-that-ends";

    public void Play(string[] arguments)
    {
        ProcessEngine engine =
            new(new ProcessEngineOptions { Backend = EngineBackend.Portable, KillChildrenOnExit = true });
        ProcessCommand sleeper = new("sleep", "1000");
        Thread batch = new(() => _ = ProcessBatch.Enumerate(
            Enumerable.Repeat(sleeper, 10_000), new BatchOptions { Engine = engine, MaxConcurrency = Slots }).Count())
        {
            IsBackground = true,
        };
        batch.Start();
        while (engine.StartedChildren < Slots)
        {
            Thread.Yield();
        }

        Environment.Exit(3);
    }
}
