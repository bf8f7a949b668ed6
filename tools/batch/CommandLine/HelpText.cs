using System;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.IO;

namespace Batch.CommandLine;

/// <summary>Prints the help: the parser's text about the options, between our own texts.</summary>
internal sealed class HelpText(HelpAction options) : SynchronousCommandLineAction
{
    public const string Introduction =
        "Runs a command once for each item, many at a time, and prints the output of each in one piece.";

    private const string Usage = "batch [options] COMMAND [ARGUMENT...] [::: ITEM...]";

    private const string Ending =
        """
        Items come from behind ':::', from --arg-file, or from standard input, one per line.

        COMMAND and its arguments may contain:
          {}    the item                         dir/file.txt
          {.}   without its extension            dir/file
          {/}   its base name                    file.txt
          {//}  its directory                    dir
          {/.}  base name without extension      file
          {#}   its number, from 1
          {%}   the number of the job's slot, from 1 to --jobs
        Without any of these the item is appended. No shell reads the command, unless --shell.

        Exit code: 0 if all jobs succeeded, else the number of those that failed, up to 100; 101 if more did;
        after --halt ...,fail=1 that of the job that failed; 130 after Ctrl-C, 143 after SIGTERM or SIGHUP; 141 if
        the reader of the output is gone; 255 if the command line or the input cannot be used, or the output or
        the log cannot be written.

        """;

    public override int Invoke(ParseResult parseResult)
    {
        using StringWriter known = new();
        parseResult.InvocationConfiguration.Output = known;
        int result = options.Invoke(parseResult);
        Console.Out.Write(known.ToString().TrimEnd().Replace("batch [options]", Usage, StringComparison.Ordinal));
        Console.Out.Write($"\n\n{Ending}");
        return result;
    }
}
