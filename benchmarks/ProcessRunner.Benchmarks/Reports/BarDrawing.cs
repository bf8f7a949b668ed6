using System.Linq;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Draws horizontal bars.</summary>
internal static class BarDrawing
{
    private const double Left = 250;
    private const double Right = 110;
    private const double Step = 24;
    private const double Thickness = 16;

    /// <returns>The lower edge of the drawing.</returns>
    public static double Draw(SvgCanvas canvas, BarPanel panel, double top)
    {
        double longest = panel.Bars.Select(bar => bar.Value ?? 0).DefaultIfEmpty(0).Max();
        double scale = longest == 0 ? 0 : (SvgCanvas.Width - Left - Right) / longest;
        foreach (Bar bar in panel.Bars)
        {
            // An abandoned contender has no length. An empty bar of the full length represents it.
            string color = Palette.Of(bar.Kind, 0);
            double length = bar.Value is double value ? value * scale : SvgCanvas.Width - Left - Right;
            canvas.Text(Left - 10, top + 13, bar.Name, "end");
            canvas.Rectangle(Left, top, length, Thickness, color, isHollow: bar.Value is null);
            if (bar.Value is null)
            {
                canvas.Text(Left + 10, top + 13, bar.Label, "start");
            }
            else
            {
                canvas.Text(Left + length + 6, top + 13, bar.Label, "start");
            }

            top += Step;
        }

        return top;
    }
}
