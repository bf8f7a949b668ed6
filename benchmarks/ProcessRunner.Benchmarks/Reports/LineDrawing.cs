using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Draws lines over evenly spaced points, with a legend at the right.</summary>
internal sealed class LineDrawing(LinePanel panel)
{
    private const double Left = 70;
    private const double Right = 290;
    private const double Height = 220;
    private const double LegendStep = 20;

    private readonly Scale _scale = Scale.Of(panel);

    /// <returns>The lower edge of the drawing.</returns>
    public double Draw(SvgCanvas canvas, double top)
    {
        double end = SvgCanvas.Width - Right;
        foreach (double tick in _scale.Ticks)
        {
            double y = Y(top, tick);
            canvas.Line(Left, y, end, y, Palette.Grid, 1);
            canvas.Text(Left - 8, y + 4, tick.ToString("#,0.###", CultureInfo.InvariantCulture), "end");
        }

        for (int i = 0; i < panel.Points.Count; i++)
        {
            canvas.Text(X(i), top + Height + 18, panel.Points[i], "middle");
        }

        canvas.Text((Left + end) / 2, top + Height + 36, panel.Across, "middle");
        DrawSeries(canvas, top);
        return top + Math.Max(Height + 40, panel.Series.Count * LegendStep);
    }

    private void DrawSeries(SvgCanvas canvas, double top)
    {
        Dictionary<ContenderKind, int> numbers = [];
        double legend = top + 8;
        foreach (Series series in panel.Series)
        {
            int number = numbers.GetValueOrDefault(series.Kind);
            numbers[series.Kind] = number + 1;
            string color = Palette.Of(series.Kind, number);
            (double, double)[] points = [.. series.Values
                .Select((value, index) => (value, index))
                .Where(point => point.value is not null)
                .Select(point => (X(point.index), Y(top, point.value!.Value)))];
            if (points.Length == 0)
            {
                continue;
            }

            double width = series.Kind == ContenderKind.Library ? 2.5 : 1.5;
            bool isDashed = series.Kind == ContenderKind.Reference;
            double x = SvgCanvas.Width - Right + 20;
            canvas.Curve(points, color, width, isDashed);
            canvas.Curve([(x, legend), (x + 22, legend)], color, width, isDashed);
            canvas.Text(x + 30, legend + 4, series.Name, "start");
            legend += LegendStep;
        }
    }

    private double X(int index)
    {
        double step = (SvgCanvas.Width - Left - Right) / panel.Points.Count;
        return Left + (step * (index + 0.5));
    }

    private double Y(double top, double value) => top + (Height * (1 - _scale.Place(value)));
}
