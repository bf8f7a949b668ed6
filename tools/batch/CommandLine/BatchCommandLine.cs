using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.Linq;

namespace Batch.CommandLine;

/// <summary>Defines the options and their help, and converts them to <see cref="Settings"/>.</summary>
internal sealed class BatchCommandLine
{
    private readonly Option<int?> _jobs = Valued<int?>(
        "--jobs",
        "-j",
        "N",
        "How many jobs run at once: a number, a share of the processors (50%), or +N for N more than the processors. "
        + "Default: as many as processors.",
        text => Values.Jobs(text));

    private readonly Option<string?> _argumentFile = Valued<string?>(
        "--arg-file", "-a", "FILE", "Reads the items from a file instead of standard input.", Values.FileName);

    private readonly Option<bool> _null =
        Flag("--null", "-0", "Items end with a NUL character instead of a line's end, as find -print0 writes them.");
    private readonly Option<bool> _skipEmpty =
        Flag("--no-run-if-empty", "-r", "Leaves out items that are empty or blank.");
    private readonly Option<bool> _shell = Flag(
        "--shell",
        null,
        "Runs each line by sh -c, the item quoted in it, for pipes and redirections. "
        + "Do not put quotes of your own around {}.");

    private readonly Option<TimeSpan?> _timeout = Valued<TimeSpan?>(
        "--timeout",
        null,
        "DURATION",
        "Stops a job that takes longer, and counts it as failed (30, 1.5m, 200ms).",
        text => Values.Limit(text));

    private readonly Option<int?> _retries = Valued<int?>(
        "--retries", null, "N", "Runs a failed job again, up to N more times.", text => Values.Count(text));

    private readonly Option<TimeSpan?> _retryDelay = Valued<TimeSpan?>(
        "--retry-delay",
        null,
        "DURATION",
        "Waits this long before the first retry, and twice as long before each further one.",
        text => Values.Duration(text));

    private readonly Option<HaltPolicy?> _halt = Valued<HaltPolicy?>(
        "--halt",
        null,
        "WHEN",
        "Ends the run when jobs fail: never (default); soon,fail=N starts no more after N failures; "
        + "now,fail=N also stops the running jobs. N% is a share of the jobs that have ended, from 3 failures on.",
        HaltPolicy.Parse);

    // --keep-order, --group and --progress are accepted for command lines of GNU parallel; each names the default.
    private readonly Option<bool> _keepOrder =
        Flag("--keep-order", "-k", "Prints the output of jobs in the order of the items. The default.");
    private readonly Option<bool> _unordered =
        Flag("--unordered", null, "Prints the output of each job as soon as it ends.");
    private readonly Option<bool> _group =
        Flag("--group", null, "Prints the output of each job in one piece. This is always the case.");
    private readonly Option<bool> _tag = Flag("--tag", null, "Begins each line of output with the item and a tab.");
    private readonly Option<bool> _dryRun = Flag("--dry-run", null, "Prints the command lines and runs nothing.");

    private readonly Option<string?> _jobLog = Valued<string?>(
        "--joblog",
        null,
        "FILE",
        "Writes a line for each job as it ends: its times, its exit code, its command.",
        Values.FileName);

    private readonly Option<long?> _memoryFree = Valued<long?>(
        "--memfree",
        null,
        "SIZE",
        "Starts no job beside another while less memory than this is available (500M, 2G).",
        text => Values.Size(text));

    private readonly Option<bool> _jobserver = Flag(
        "--jobserver",
        null,
        "Shares the limit of the make that runs this: takes a token of its jobserver for each job except one.");
    private readonly Option<bool> _progress =
        Flag("--progress", null, "Shows the running jobs on standard error, if that is a terminal. The default.");
    private readonly Option<bool> _noProgress = Flag("--no-progress", null, "Shows no progress.");

    private readonly RootCommand _root;

    public BatchCommandLine()
    {
        _root = new RootCommand(HelpText.Introduction)
        {
            _jobs, _argumentFile, _null, _skipEmpty, _shell, _timeout, _retries, _retryDelay, _halt, _keepOrder,
            _unordered,
            _group, _tag, _dryRun, _jobLog, _memoryFree, _jobserver, _progress, _noProgress,
        };
        HelpOption help = _root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpText((HelpAction)help.Action!);
    }

    /// <summary>Parses a command line.</summary>
    /// <returns>
    /// The settings, or null if the command line asked for the help or the version, which has been printed.
    /// </returns>
    /// <exception cref="UsageException">The command line is invalid.</exception>
    public Settings? Parse(IReadOnlyList<string> arguments)
    {
        RefuseReplacedText(arguments);
        SplitArguments split = SplitArguments.Of(arguments, TakesValue);

        // The value of an option may begin with '@'. It never names a file with more options.
        ParseResult result = _root.Parse(split.Options, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (result.Errors.Count > 0)
        {
            throw new UsageException($"{result.Errors[0].Message} 'batch --help' lists the options.");
        }

        if (result.Action is not null)
        {
            result.Invoke();
            return null;
        }

        Settings settings = Read(result, split);
        Validate(settings);
        return settings;
    }

    private Settings Read(ParseResult result, SplitArguments split) => new()
    {
        Template = split.Template,
        Items = split.Items,
        ArgumentFile = result.GetValue(_argumentFile),
        IsNullSeparated = result.GetValue(_null),
        SkipsEmpty = result.GetValue(_skipEmpty),
        IsShell = result.GetValue(_shell),
        Jobs = result.GetValue(_jobs) ?? Environment.ProcessorCount,
        Timeout = result.GetValue(_timeout),
        Retries = result.GetValue(_retries) ?? 0,
        RetryDelay = result.GetValue(_retryDelay) ?? TimeSpan.Zero,
        Halt = result.GetValue(_halt) ?? HaltPolicy.Never,
        IsUnordered = result.GetValue(_unordered),
        IsTagged = result.GetValue(_tag),
        IsDryRun = result.GetValue(_dryRun),
        JobLog = result.GetValue(_jobLog),
        MinAvailableMemory = result.GetValue(_memoryFree) ?? 0,
        UsesJobserver = result.GetValue(_jobserver),
        ShowsProgress = !result.GetValue(_noProgress),
    };

    private static void Validate(Settings settings)
    {
        if (settings.Template.Count == 0)
        {
            throw new UsageException(
                "there is no command to run; give one before ':::'. 'batch sh -c {}' runs each item as a command.");
        }

        if (settings.Template[0].Length == 0 && !settings.IsShell)
        {
            throw new UsageException("the command to run is empty; give the name of a program.");
        }

        if (settings.Items is not null && settings.ArgumentFile is not null)
        {
            throw new UsageException("--arg-file and ':::' both give items; use one of them.");
        }
    }

    // On Unix .NET replaces bytes that are not UTF-8 before this program sees them. On Windows words are UTF-16.
    private static void RefuseReplacedText(IEnumerable<string> arguments)
    {
        if (!OperatingSystem.IsWindows() && arguments.FirstOrDefault(word => word.Contains('\uFFFD')) is string word)
        {
            throw new UsageException($"'{word}' is not UTF-8 text; convert it, or rename the file that it names.");
        }
    }

    private bool TakesValue(string name) =>
        _root.Options.Any(
            option => (option.Name == name || option.Aliases.Contains(name)) && option.Arity.MaximumNumberOfValues > 0);

    private static Option<bool> Flag(string name, string? alias, string description) =>
        new(name, alias is null ? [] : [alias]) { Description = description, Arity = ArgumentArity.Zero };

    private static Option<T> Valued<T>(
        string name, string? alias, string valueName, string description, Func<string, T> parse) =>
        new(name, alias is null ? [] : [alias])
        {
            Description = description,
            HelpName = valueName,
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = result =>
            {
                try
                {
                    return parse(result.Tokens[0].Value);
                }
                catch (FormatException exception)
                {
                    result.AddError($"{name}: {exception.Message}");
                    return default;
                }
            },
        };
}
