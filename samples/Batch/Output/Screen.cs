using System;
using System.Collections.Generic;
using System.Diagnostics;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Batch.Output;

/// <summary>
/// The terminal, where the output of jobs goes and, below it, the state of the run. The state is wiped away before anything
/// else is written and drawn again behind it, so that the two never mix.
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

    /// <param name="showsState">False if there is no terminal: then nothing is ever drawn.</param>
    public Screen(bool showsState)
    {
        if (showsState)
        {
            _console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        }
    }

    /// <summary>Whether standard error is a terminal that can move its cursor.</summary>
    public static bool CanShowState =>
        !Console.IsErrorRedirected && Environment.GetEnvironmentVariable("TERM") is not (null or "" or "dumb");

    /// <summary>Writes above the state.</summary>
    /// <param name="write">Returns whether what it has written ends with a line.</param>
    public void Above(Func<bool> write)
    {
        lock (_lock)
        {
            Wipe();
            if (!write() && _console is not null)
            {
                // The state cannot stand behind half a line.
                _console.WriteLine();
            }

            // Many short jobs would have the terminal draw all the time; the next state comes soon anyway.
            if (Stopwatch.GetElapsedTime(_drawnAt) > s_shortest)
            {
                Draw();
            }
        }
    }

    /// <summary>Shows a state in place of the one before.</summary>
    /// <param name="state">One line each.</param>
    public void Show(IReadOnlyList<IRenderable> state)
    {
        lock (_lock)
        {
            _state = state;
            Wipe();
            Draw();
        }
    }

    /// <summary>Wipes the state away for good.</summary>
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
            // Up to the first of its lines, and clear from there to the end.
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
