using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Invocation;
using System.Linq;
using System.Text;

namespace PTest.CommandLine;

/// <summary>Prints the help: the options in groups, a line each, and what the words of the output mean.</summary>
internal sealed class HelpText(IReadOnlyList<(string Heading, IReadOnlyList<Option> Options)> groups)
    : SynchronousCommandLineAction
{
    public const string Introduction = "Runs .NET tests in processes of their own, and says of each what became of it.";

    private const string Usage =
        """
        Usage:
          dotnet ptest [TARGET...] [OPTIONS]        builds and runs the tests
          dotnet ptest list [TARGET...] [OPTIONS]   lists them; takes -e, --shard, -c, -f and --no-build

        TARGET is a project, a solution, a folder with one of them, or a test assembly. Default: this folder.

        """;

    private const string Ending =
        """
        Filters:
          class:NAME, method:NAME, collection:NAME, assembly:NAME, trait:NAME=VALUE, or NAME (name:NAME) for the full
          name or the display name; joined by and, or, not (&, |, !), ( ). A NAME is a part of what it names, or with
          a * all of it. Quotes keep blanks and signs together: trait:"Kind=slow (two)".

        Times:
          30 or 30s, 200ms, 1.5m, 2h

        Verdicts:
          PASS, SKIP    it passed, was skipped
          SLOW          it passed, and took longer than --slow
          LEAK          it passed, and left the processes behind that are named
          FLAKY         it failed, and passed when it ran again in the same way
          FAIL          it failed
          ORDER         it fails after other tests in the same process, and passes alone
          TIMEOUT       it took longer than --timeout, and was stopped
          CRASH, EXIT   its process died by a signal, or ended by itself, before the test did
          NOT-RUN       the run ended before it

        Exit codes:
          0    all tests passed
          1    tests failed
          2    the command line, ptest.json, the target or the build is wrong, a report could not be written, or the
               runner failed
          4    there are no tests to run
          5    tests did not run, and none failed
          130  Ctrl-C or SIGTERM ended the run

        Examples:
          dotnet ptest tests/Shop.Tests
          dotnet ptest Shop.sln --no-build -e 'class:Cart and not trait:Speed=slow'
          dotnet ptest --isolation class --retries 2 --timeout 60s
          dotnet ptest --rerun-failed
          dotnet ptest --shard time:1/4
          dotnet ptest --profile ci --report junit:TestResults/junit.xml --report github

        docs/test-runner.md compares the options with those of 'dotnet test', and describes ptest.json.

        """;

    public override bool Terminating => true;

    public override int Invoke(ParseResult parseResult)
    {
        Console.Out.Write($"{Introduction}\n\n{Usage}\n{Options()}{Ending}");
        return 0;
    }

    private string Options()
    {
        int width = groups.SelectMany(group => group.Options).Max(option => Names(option).Length);
        StringBuilder text = new();
        foreach ((string heading, IReadOnlyList<Option> options) in groups)
        {
            text.Append(heading).Append(":\n");
            foreach (Option option in options)
            {
                text.Append("  ").Append(Names(option).PadRight(width)).Append("  ").Append(option.Description)
                    .Append('\n');
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    private static string Names(Option option)
    {
        string alias = option.Aliases.FirstOrDefault(name => name.Length == 2) is string name ? $"{name}, " : "    ";
        return $"{alias}{option.Name}{(option.HelpName is string value ? $" {value}" : "")}";
    }
}
