using System;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that a reader of live lines that repeatedly lacks memory is told so each time and loses no line, when a
/// child has left more lines than its channel holds.
/// </summary>
internal sealed class LinesWithoutMemory : IScenario
{
    private const int ENOMEM = 12;
    private const int Lines = 20_000;
    private const int EachOf = 97;

    public string Name => "lines-without-memory";

    public void Play(string[] arguments)
    {
        int asked = 0;
        int reader = Environment.CurrentManagedThreadId;
        using ChildProcess child =
            (new ProcessCommand("seq", "1", $"{Lines}") with { StandardOutput = OutputTarget.Live() }).Start();
        Expect.Equal(0, child.Wait().ExitCode, "exit code");
        FaultPoint.Decide = call =>
            call == FaultPoint.ManagedMemory && Environment.CurrentManagedThreadId == reader && ++asked % EachOf == 0
                ? ENOMEM
                : 0;
        int read = 0;
        int shortages = 0;
        while (TryRead(child, ref shortages) is string line)
        {
            Expect.Equal($"{++read}", line, "line");
        }

        FaultPoint.Decide = null;
        Expect.Equal(Lines, read, "lines");
        Expect.True(shortages > 1, "memory was short");
    }

    // Returns null at the end.
    private static string? TryRead(ChildProcess child, ref int shortages)
    {
        while (true)
        {
            try
            {
                if (child.Lines.TryRead(out OutputLine line))
                {
                    return line.Content;
                }

                if (!child.Lines.WaitToReadAsync().AsTask().GetAwaiter().GetResult())
                {
                    return null;
                }
            }
            catch (OutOfMemoryException)
            {
                shortages++;
            }
        }
    }
}
