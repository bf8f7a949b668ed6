using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.Linq;
using PTest.Reports;
using PTest.Running;
using PTest.Selection;
using PTest.Units;

namespace PTest.CommandLine;

/// <summary>Defines the commands, the options and their help, and converts them to <see cref="Settings"/>.</summary>
internal sealed class PTestCommandLine
{
    private readonly Argument<string[]> _targets = new("TARGET")
    {
        Description = "A project, a solution, a folder with one of them, or a test assembly. Default: this folder.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly Option<TestFilter[]> _filter = new("--filter", "-e")
    {
        HelpName = "FILTER",
        Description = "Only tests that match (see below). If repeated: that match any of them.",
        AllowMultipleArgumentsPerToken = false,
        CustomParser = result => Parsed(
            "--filter", result, () => result.Tokens.Select(token => TestFilter.Parse(token.Value)).ToArray())!,
    };

    private readonly Option<string> _configuration = new("--configuration", "-c")
    {
        HelpName = "NAME",
        Description = "The configuration to build and to run. Default: Debug.",
        DefaultValueFactory = _ => "Debug",
    };

    private readonly Option<string?> _framework = Valued<string?>(
        "--framework", "NAME", "Only this target framework of projects that have several, such as net10.0.",
        text => text, "-f");

    private readonly Option<bool> _noBuild = Flag("--no-build", "Runs what has been built before.");

    private readonly Option<Isolation?> _isolation = Valued<Isolation?>(
        "--isolation", "KIND",
        "Isolation unit: adaptive (default), test, class, collection, chunk:N, assembly.",
        text => Isolation.Parse(text));

    private readonly Option<int?> _jobs = Valued<int?>(
        "--jobs", "N", "How many processes run at once. Default: as many as processors.",
        text => Values.Count(text, 1), "-j");

    private readonly Option<TimeSpan?> _timeout = Valued<TimeSpan?>(
        "--timeout", "TIME", "Stops a test that takes longer. Default: 5m. 0: no limit.",
        text => Values.Duration(text));

    private readonly Option<TimeSpan?> _slow = Valued<TimeSpan?>(
        "--slow", "TIME", "Reports a passing test as SLOW if it takes longer. Default: 10s.",
        text => Values.Duration(text));

    private readonly Option<TimeSpan?> _runTimeout = Valued<TimeSpan?>(
        "--run-timeout", "TIME", "Stops the whole run after this time.",
        text => Values.Duration(text));

    private readonly Option<DumpKind?> _hangDump = Valued<DumpKind?>(
        "--hang-dump", "KIND", "Writes a dump before a stop by --timeout: none (default), triage, heap.",
        text => Values.Choice<DumpKind>(text));

    private readonly Option<int?> _retries = Valued<int?>(
        "--retries", "N", "Runs a failed test again, alone, up to N times. What passes then is FLAKY.",
        text => Values.Count(text));

    private readonly Option<TimeSpan?> _retryDelay = Valued<TimeSpan?>(
        "--retry-delay", "TIME", "Waits before the first retry, and twice as long before each further one.",
        text => Values.Duration(text));

    private readonly Option<bool?> _flaky = Valued<bool?>(
        "--flaky", "pass|fail",
        "Verdict on a flaky test. Default: pass with --retries, fail without.",
        text => Values.FlakyFails(text));

    private readonly Option<LeakPolicy?> _leaks = Valued<LeakPolicy?>(
        "--leaks", "POLICY", "If a test leaves processes behind: warn (default), fail, ignore.",
        text => Values.Choice<LeakPolicy>(text));

    private readonly Option<int?> _failFast = Valued<int?>(
        "--fail-fast", "N", "Ends the run after N failed tests.", text => Values.Count(text, 1));

    private readonly Option<int?> _stress = Valued<int?>(
        "--stress", "N", "Runs all tests N times, one time after another.",
        text => Values.Count(text, 1));

    private readonly Option<Shard?> _shard = Valued<Shard?>(
        "--shard", "KIND:I/N", "Only one of N parts: hash:1/4, slice:1/4, or time:1/4 (by history).",
        Shard.Parse);

    private readonly Option<ReportTarget[]> _report = new("--report")
    {
        HelpName = "KIND:PATH",
        Description = "Writes junit, trx, html, json, trace (for Perfetto) or github. May be repeated.",
        AllowMultipleArgumentsPerToken = false,
        CustomParser = result => Parsed(
            "--report", result, () => result.Tokens.Select(token => ReportTarget.Parse(token.Value)).ToArray())!,
    };

    private readonly Option<string?> _profile = Valued<string?>(
        "--profile", "NAME", "Uses a profile of ptest.json. Options override it.", text => text);

    private readonly Option<bool> _rerunFailed =
        Flag("--rerun-failed", "Only tests that failed or did not run last time, and new ones.");

    private readonly Option<bool> _ignoreHints =
        Flag("--ignore-parallel-hints", "Runs tests beside others that ask to run alone.");

    private readonly Option<bool> _precompile =
        Flag("--precompile", "Compiles packages to machine code once, so that processes start faster (xunit).");

    private readonly Option<bool> _verbose = Flag("--verbose", "Also shows each test that passes.", "-v");
    private readonly Option<bool> _noProgress = Flag("--no-progress", "Draws no progress at a terminal.");
    private readonly Option<bool> _noHistory = Flag("--no-history", "Neither reads nor writes the history.");

    private readonly Command _list = new("list", "Lists the tests.");
    private readonly RootCommand _root;

    public PTestCommandLine()
    {
        _root = new RootCommand(HelpText.Introduction)
        {
            _targets, _filter, _configuration, _framework, _noBuild, _isolation, _jobs, _timeout, _slow, _runTimeout,
            _hangDump, _retries, _retryDelay, _flaky, _leaks, _failFast, _stress, _shard, _report, _profile,
            _rerunFailed, _ignoreHints, _precompile, _verbose, _noProgress, _noHistory,
        };
        _list.Add(_targets);
        foreach (Option option in (Option[])[_filter, _configuration, _framework, _noBuild, _shard])
        {
            _list.Add(option);
        }

        _list.SetAction(_ => 0);
        _root.Add(_list);
        HelpOption help = _root.Options.OfType<HelpOption>().Single();
        help.Description = "Shows this text.";
        VersionOption version = _root.Options.OfType<VersionOption>().Single();
        version.Description = "Shows the version.";
        help.Action = new HelpText(
        [
            ("Which tests", [_filter, _shard, _rerunFailed]),
            ("Build", [_configuration, _framework, _noBuild]),
            ("Processes", [_isolation, _jobs, _ignoreHints, _precompile]),
            ("Limits", [_timeout, _slow, _runTimeout, _failFast, _hangDump, _leaks]),
            ("Repetition", [_retries, _retryDelay, _flaky, _stress]),
            ("Output", [_report, _verbose, _noProgress]),
            ("Settings", [_profile, _noHistory, help, version]),
        ]);
        _root.SetAction(_ => 0);
    }

    /// <summary>Parses a command line.</summary>
    /// <returns>The settings, or null if it asked for the help or the version, which has been printed.</returns>
    /// <exception cref="UsageException">The command line is invalid.</exception>
    public Settings? Parse(IReadOnlyList<string> arguments)
    {
        ParseResult result = _root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (result.Errors.Count > 0)
        {
            throw new UsageException($"{result.Errors[0].Message} 'dotnet ptest --help' lists the options.");
        }

        if (result.Action != result.CommandResult.Command.Action)
        {
            result.Invoke();
            return null;
        }

        Settings settings = Read(result);
        return settings.Targets.FirstOrDefault(target => target.StartsWith('-')) is string unknown
            ? throw new UsageException($"there is no option '{unknown}'. 'dotnet ptest --help' lists the options.")
            : settings;
    }

    private Settings Read(ParseResult result) => new()
    {
        IsListing = result.CommandResult.Command == _list,
        Targets = result.GetValue(_targets) ?? [],
        Filters = result.GetValue(_filter) ?? [],
        Configuration = result.GetValue(_configuration)!,
        Framework = result.GetValue(_framework),
        Builds = !result.GetValue(_noBuild),
        Isolation = result.GetValue(_isolation),
        Jobs = result.GetValue(_jobs),
        Timeout = result.GetValue(_timeout),
        Slow = result.GetValue(_slow),
        RunTimeout = result.GetValue(_runTimeout),
        HangDump = result.GetValue(_hangDump),
        Retries = result.GetValue(_retries),
        RetryDelay = result.GetValue(_retryDelay),
        FlakyFails = result.GetValue(_flaky),
        Leaks = result.GetValue(_leaks),
        FailFast = result.GetValue(_failFast),
        Stress = result.GetValue(_stress),
        Shard = result.GetValue(_shard),
        Profile = result.GetValue(_profile),
        Reports = result.GetValue(_report) ?? [],
        RerunsFailed = result.GetValue(_rerunFailed),
        IgnoresParallelHints = result.GetValue(_ignoreHints),
        Precompiles = result.GetValue(_precompile) ? true : null,
        IsVerbose = result.GetValue(_verbose),
        ShowsProgress = !result.GetValue(_noProgress),
        KeepsHistory = !result.GetValue(_noHistory),
    };

    private static Option<bool> Flag(string name, string description, params string[] aliases) =>
        new(name, aliases) { Description = description, Arity = ArgumentArity.Zero };

    private static Option<T> Valued<T>(
        string name, string valueName, string description, Func<string, T> parse, params string[] aliases) =>
        new(name, aliases)
        {
            Description = description,
            HelpName = valueName,
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = result => Parsed(name, result, () => parse(result.Tokens[0].Value)),
        };

    private static T? Parsed<T>(string name, System.CommandLine.Parsing.ArgumentResult result, Func<T> parse)
    {
        try
        {
            return parse();
        }
        catch (FormatException exception)
        {
            result.AddError($"{name}: {exception.Message}.");
            return default;
        }
    }
}
