using System.Collections.Generic;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Draws panels one below the other, as an SVG that is legible on both light and dark backgrounds.</summary>
internal static class SvgPlot
{
    private const double Gap = 24;

    public static string Render(IEnumerable<Panel> panels)
    {
        SvgCanvas canvas = new();
        double top = Gap / 2;
        foreach (Panel panel in panels)
        {
            canvas.Text(Gap / 2, top + 14, panel.Title, "start", isStrong: true);
            top += 26;
            top = panel switch
            {
                BarPanel bars => BarDrawing.Draw(canvas, bars, top),
                LinePanel lines => new LineDrawing(lines).Draw(canvas, top),
                _ => top,
            };
            top += Gap;
        }

        return canvas.Finish(top);
    }
}
