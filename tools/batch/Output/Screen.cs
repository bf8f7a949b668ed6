using System;
using System.Collections.Generic;
using System.Diagnostics;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Batch.Output;

/// <summary>
/// Represents the terminal, which shows the output of jobs and, below it, the state of the run. The state is erased
/// before any other text and redrawn after it, so that the two never mix.
/// </summary>
internal sealed class Screen
{
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(50);

    private readonly object _lock = new();
    private readonly IAnsiConsole? _console;
    private IReadOnlyList<IRenderable> _state = [];
    private int _drawn;
    private long _drawnAt;
    private bool _isClosed;

    /// <param name="showsState">
    /// Whether the state is drawn if standard error is a terminal with a movable cursor.
    /// </param>
    public Screen(bool showsState)
    {
        if (showsState
            && !Console.IsErrorRedirected
            && Environment.GetEnvironmentVariable("TERM") is not (null or "" or "dumb"))
        {
            _console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        }
    }

    /// <summary>Gets whether the state is drawn.</summary>
    public bool ShowsState => _console is not null;

    /// <summary>Writes above the state.</summary>
    /// <param name="write">Writes, and returns whether the text ends with a line end.</param>
    public void Above(Func<bool> write)
    {
        lock (_lock)
        {
            Wipe();
            if (!write() && _console is not null)
            {
                // The state needs a line of its own.
                _console.WriteLine();
            }

            // Many short jobs would redraw the terminal all the time. The next state comes soon anyway.
            if (Stopwatch.GetElapsedTime(_drawnAt) > s_shortest)
            {
                Draw();
            }
        }
    }

    /// <summary>Draws a state in place of the previous one.</summary>
    /// <param name="state">The state, one line per element.</param>
    public void Show(IReadOnlyList<IRenderable> state)
    {
        lock (_lock)
        {
            _state = state;
            Wipe();
            Draw();
        }
    }

    /// <summary>Erases the state for good.</summary>
    public void Close()
    {
        lock (_lock)
        {
            Wipe();
            _isClosed = true;
        }
    }

    private void Wipe()
    {
        if (_drawn > 0)
        {
            // The sequence moves to the first of its lines and clears from there to the end.
            Console.Error.Write($"\e[{_drawn}A\r\e[J");
            _drawn = 0;
        }
    }

    private void Draw()
    {
        if (_console is not null && !_isClosed && _state.Count > 0)
        {
            _console.Write(new Rows(_state));
            _drawn = _state.Count;
            _drawnAt = Stopwatch.GetTimestamp();
        }
    }
}
