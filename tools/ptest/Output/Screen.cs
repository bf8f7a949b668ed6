using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using ProcessRunner;
using PTest.Running;
using PTest.Suites;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PTest.Output;

/// <summary>
/// Represents the terminal: lines that stay and, below them, the state of the run. The state is erased before any other
/// text, so that the two never mix. An output that takes no more (a full disk) is reported once and does not end the
/// run.
/// </summary>
internal sealed class Screen
{
    private const int MaxRunning = 8;

    private readonly object _lock = new();
    private readonly Func<TestCase, TimeSpan> _slowFrom;
    private readonly IAnsiConsole? _console;
    private readonly TextOutput _output;
    private readonly long _begin = Environment.TickCount64;
    private int _drawn;
    private bool _isClosed;
    private bool _isLost;

    /// <param name="showsState">Whether a terminal shows the state of the run.</param>
    /// <param name="slowFrom">Gets how long a test may take before it is shown as slow.</param>
    public Screen(bool showsState, Func<TestCase, TimeSpan> slowFrom)
    {
        _slowFrom = slowFrom;
        bool hasTerminal =
            !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not (null or "" or "dumb");
        IAnsiConsole? colors = hasTerminal ? AnsiConsole.Console : null;
        _console = showsState ? colors : null;
        _output = new TextOutput(Console.Out, colors);
    }

    /// <summary>Writes lines that stay.</summary>
    public void Write(Action<TextOutput> write)
    {
        lock (_lock)
        {
            Try(() =>
            {
                Wipe();
                write(_output);
                Console.Out.Flush();
            });
        }
    }

    /// <summary>Draws the state in place of the previous one.</summary>
    public void Show(BatchRun batch, Tally tally, int settled, int count)
    {
        if (_console is null)
        {
            return;
        }

        TimeSpan elapsed = TimeSpan.FromMilliseconds(Environment.TickCount64 - _begin);
        List<IRenderable> lines = [Counts(tally, settled, count, elapsed)];
        lines.AddRange(
            batch.RunningItems().OrderByDescending(item => item.RunTime).Take(MaxRunning).Select(Running));
        lock (_lock)
        {
            Try(() =>
            {
                Wipe();
                if (!_isClosed)
                {
                    _console.Write(new Rows(lines));
                    _drawn = lines.Count;
                }
            });
        }
    }

    /// <summary>Erases the state for good.</summary>
    public void Close()
    {
        lock (_lock)
        {
            Try(Wipe);
            _isClosed = true;
        }
    }

    private void Try(Action write)
    {
        if (_isLost)
        {
            return;
        }

        try
        {
            write();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _isLost = true;
            ErrorOutput.Write($"the output cannot be written: {exception.Message}");
        }
    }

    private void Wipe()
    {
        if (_drawn > 0)
        {
            // The sequence moves to the first of its lines and clears from there to the end.
            Console.Out.Write($"\e[{_drawn}A\r\e[J");
            _drawn = 0;
        }
    }

    private StateLine Counts(Tally tally, int settled, int count, TimeSpan elapsed)
    {
        string flaky = tally.Flaky > 0 ? $"  {tally.Flaky} flaky" : "";
        string left = settled > 0 && settled < count
            ? $"  {Seconds(elapsed * ((double)(count - settled) / settled))} left"
            : "";
        return Line(
            ($"{settled}/{count}", Color.Aqua),
            ($"  {tally.Passed} passed", Color.Green),
            ($"  {tally.Failed} failed", tally.Failed > 0 ? Color.Red : Color.Grey),
            ($"{flaky}  {Seconds(elapsed)}{left}", Color.Grey));
    }

    private StateLine Running(RunningItem item)
    {
        UnitRun run = (UnitRun)item.Item.Tag!;
        RunningTest? test = run.Running is [RunningTest first, ..] ? first : null;
        TimeSpan time = test?.Elapsed ?? item.RunTime;
        string name = test?.Name ?? $"{run.Unit.Assembly.Name}: {run.Unit.Tests.Count} tests";
        bool isSlow = test is not null && time >= _slowFrom(test.Case);
        return Line(
            ($"{Seconds(time),10}  ", isSlow ? Color.Yellow : Color.Grey),
            (isSlow ? "SLOW  " : "", Color.Yellow),
            (name, Color.Default));
    }

    /// <summary>Makes a line of the terminal's width: a wrapped one could not be erased.</summary>
    private StateLine Line(params (string Text, Color Color)[] parts) => new(parts, _console!.Profile.Width - 1);

    private static string Seconds(TimeSpan time) => time.TotalMinutes < 1
        ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:F1} s")
        : time.ToString(time.TotalHours < 1 ? @"m\:ss" : @"d\.hh\:mm\:ss", CultureInfo.InvariantCulture);
}
