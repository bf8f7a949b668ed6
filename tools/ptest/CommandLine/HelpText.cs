using System;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.IO;

namespace PTest.CommandLine;

/// <summary>Prints the help: the parser's text about the options, and our own about verdicts and exit codes.</summary>
internal sealed class HelpText(HelpAction options) : SynchronousCommandLineAction
{
    private const string Ending =
        """
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

        Exit code: 0 all passed; 1 tests failed; 2 the command line, the target or the build is wrong; 4 no tests;
        5 tests did not run, none failed; 130 after Ctrl-C.

        Examples:
          dotnet ptest tests/Shop.Tests                           builds and runs
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
        using StringWriter known = new();
        parseResult.InvocationConfiguration.Output = known;
        int result = options.Invoke(parseResult);
        Console.Out.Write(known.ToString().Replace("dotnet-ptest ", "dotnet ptest ", StringComparison.Ordinal));
        if (parseResult.CommandResult.Command is RootCommand)
        {
            Console.Out.Write(Ending);
        }

        return result;
    }
}
