using System.Collections.Generic;
using System.IO;
using System.Text;
using Batch.Commands;

namespace Batch;

/// <summary>Prints the command lines that a real run would run.</summary>
internal static class DryRun
{
    private const int BufferSize = 64 * 1024;

    /// <exception cref="UsageException">An item is invalid.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public static void Print(IEnumerable<string> items, CommandTemplate template, Stream output)
    {
        BufferedStream lines = new(output, BufferSize);
        long sequence = 0;
        foreach (string item in items)
        {
            Job job = new(++sequence, item);

            // The dry run refuses every item that a real run would refuse. Nothing runs, so the first slot is free.
            _ = template.CommandFor(job);
            lines.Write(Encoding.UTF8.GetBytes($"{template.Text(job, slot: 0)}\n"));
        }

        lines.Flush();
    }
}
