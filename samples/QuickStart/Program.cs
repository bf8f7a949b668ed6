using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using ProcessRunner;

namespace QuickStart;

/// <summary>
/// Runs the same work through ProcessRunner and through System.Diagnostics.Process. A new process measures each row, so
/// that no row inherits a ThreadPool that the previous row has grown.
/// </summary>
internal static class Program
{
    private const int Children = 48;

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    private static readonly Dictionary<string, IChildRunner> s_runners = new()
    {
        ["library"] = new LibraryRunner(),
        ["events"] = new EventRunner(),
    };

    private static int Main(string[] arguments)
    {
        if (arguments is [string runner, string children])
        {
            Measurement measurement =
                Measurement.Of(s_runners[runner], int.Parse(children, CultureInfo.InvariantCulture));
            Console.WriteLine(Table.Row(measurement));
            return measurement.Failures == 0 ? 0 : 1;
        }

        Console.WriteLine(
            $"{Workload.Description} Parallel.ForEach, no degree set, {Environment.ProcessorCount} cores.");
        Console.WriteLine(Table.Header);
        bool succeeded = PrintRow("library");

        // The other row is for comparison by the reader. It does not affect the exit code.
        PrintRow("events");
        Console.WriteLine(succeeded ? "ProcessRunner: 0 failures." : "ProcessRunner: FAILED.");
        return succeeded ? 0 : 1;
    }

    private static bool PrintRow(string runner)
    {
        using ProcessExecutor self = new(runner, Path.Combine(AppContext.BaseDirectory, "QuickStart"));
        self.Run(runner, Children.ToString(CultureInfo.InvariantCulture));
        if (!self.Wait(s_patience))
        {
            Console.WriteLine($"{s_runners[runner].Name}, {Children} children: given up after {s_patience}.");
        }

        Console.Write(self.Result.StandardOutput);
        Console.Error.Write(self.Result.StandardError);
        return self.Result.IsSuccess;
    }
}
