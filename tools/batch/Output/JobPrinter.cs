using System;
using System.IO;
using Batch.Reports;
using ProcessRunner;

namespace Batch.Output;

/// <summary>Prints the output of a job in one piece: its output to ours, its errors to ours.</summary>
internal sealed class JobPrinter(Screen screen, Stream output, Stream error, bool isTagged)
{
    private const int BufferSize = 64 * 1024;

    /// <exception cref="IOException">Our output cannot be written.</exception>
    public void Print(JobOutcome outcome) => screen.Above(() =>
    {
        bool isLine = Copy(outcome.Result.Result?.StandardOutput, output, outcome.Job.Item);
        isLine = Copy(outcome.Result.Result?.StandardError, error, outcome.Job.Item) && isLine;
        if (outcome.Message is string message)
        {
            Console.Error.WriteLine($"batch: job {outcome.Job.Sequence}: {OneLine.Of(message)}");
        }

        return isLine;
    });

    // Returns whether the output ends with a line end.
    private bool Copy(CapturedOutput? captured, Stream to, string item)
    {
        if (captured is null || captured.TotalBytes == 0)
        {
            return true;
        }

        // A stream avoids loading large outputs from temporary files back into memory.
        using Stream from = captured.OpenRead();
        if (isTagged)
        {
            LineTag.Copy(from, to, item);
            return true;
        }

        from.CopyTo(to, BufferSize);
        return !captured.IsSpilled && captured.Bytes.Slice(captured.Bytes.Length - 1).FirstSpan is [(byte)'\n'];
    }
}
