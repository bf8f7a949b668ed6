using System;
using System.Collections.Generic;
using System.Globalization;
using Batch.Commands;
using ProcessRunner;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Batch.Output;

/// <summary>Draws the progress of the run: the counts, and the longest-running jobs.</summary>
internal sealed class ProgressView(Screen screen, CommandTemplate template) : IProgress<BatchProgress>
{
    public void Report(BatchProgress value)
    {
        List<IRenderable> lines = [Counts(value)];
        foreach (RunningItem running in value.Longest)
        {
            string command = OneLine.Of(template.Text((Job)running.Item.Tag!, running.Slot));
            lines.Add(new StatusLine(($"{Seconds(running.RunTime),10}  ", Color.Grey), (command, Color.Default)));
        }

        screen.Show(lines);
    }

    private static StatusLine Counts(BatchProgress progress)
    {
        long ended = progress.Passed + progress.Failed;
        double rate = ended / Math.Max(progress.Elapsed.TotalSeconds, 0.001);
        List<(string, Color)> parts =
        [
            ($"{progress.Running} running", Color.Aqua),
            ($"  {progress.Passed} passed", Color.Green),
            ($"  {progress.Failed} failed", progress.Failed > 0 ? Color.Red : Color.Grey),
        ];
        if (progress.Retried > 0)
        {
            parts.Add(($"  {progress.Retried} retried", Color.Yellow));
        }

        // The number of remaining jobs is unknown until the input has been read.
        if (progress.IsInputRead)
        {
            parts.Add(($"  {progress.Queued} to go", Color.Default));
        }

        string pace = string.Create(CultureInfo.InvariantCulture, $"  {rate:F1}/s  {Seconds(progress.Elapsed)}");
        parts.Add((pace, Color.Grey));
        return new StatusLine(parts);
    }

    private static string Seconds(TimeSpan time) => time.TotalMinutes < 1
        ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:F1} s")
        : time.ToString(time.TotalHours < 1 ? @"m\:ss" : @"d\.hh\:mm\:ss", CultureInfo.InvariantCulture);
}
