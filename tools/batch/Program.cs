using System;
using System.Collections.Generic;
using System.IO;
using Batch.CommandLine;
using Batch.Commands;
using Batch.Items;
using Batch.Output;
using Batch.Reports;
using ProcessRunner;

namespace Batch;

/// <summary>
/// Runs a command for each item, many at a time, like GNU parallel and xargs -P, with <see cref="ProcessBatch"/>.
/// </summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        try
        {
            return new BatchCommandLine().Parse(arguments) is Settings settings ? Run(settings) : 0;
        }
        catch (ClosedOutputException)
        {
            return ExitStatus.ClosedOutput;
        }
        catch (UsageException exception)
        {
            return Refuse(exception.Message);
        }
        catch (Exception exception)
            when (exception is IOException or ProcessStartException or PlatformNotSupportedException)
        {
            return Refuse(exception.Message);
        }
    }

    private static int Run(Settings settings)
    {
        CommandTemplate template = new(settings.Template, settings.IsShell);
        IEnumerable<string> items = ItemSource.Open(settings);
        DescriptorStream output = new(1);
        if (settings.IsDryRun)
        {
            DryRun.Print(items, template, output);
            return 0;
        }

        Screen screen = new(settings.ShowsProgress);
        JobPrinter printer = new(screen, output, new DescriptorStream(2), settings.IsTagged);
        using JobLog? log = settings.JobLog is string path ? new JobLog(path, template) : null;
        JobRunner runner = new(settings, template, InputGate.For(settings), screen, printer, log);
        RunEnding ending = runner.Run(items);
        foreach (string line in Summary.Lines(runner.Tally, ending, template))
        {
            Say(line);
        }

        return ExitStatus.Of(runner.Tally, settings.Halt, ending);
    }

    private static int Refuse(string message)
    {
        Say($"batch: {message}");
        return ExitStatus.Error;
    }

    private static void Say(string line)
    {
        try
        {
            Console.Error.WriteLine(line);
        }
        catch (IOException)
        {
            // The message has no reader. The exit code still reports the failure.
        }
    }
}
