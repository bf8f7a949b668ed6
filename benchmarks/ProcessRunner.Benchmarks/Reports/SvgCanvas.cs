using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Text;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Draws shapes and text, in pixels from the upper left corner.</summary>
internal sealed class SvgCanvas
{
    public const double Width = 820;

    private readonly StringBuilder _body = new();

    public void Text(double x, double y, string text, string anchor, bool isStrong = false, string? color = null)
    {
        string weight = isStrong ? " font-weight=\"600\"" : "";
        string fill = color is null ? "" : $" fill=\"{color}\"";
        _body.Append(FormattableString.Invariant(
            $"<text x=\"{x:0.#}\" y=\"{y:0.#}\" text-anchor=\"{anchor}\"{weight}{fill}>"))
            .Append(FormattableString.Invariant($"{WebUtility.HtmlEncode(text)}</text>\n"));
    }

    public void Rectangle(double x, double y, double width, double height, string color, bool isHollow = false)
    {
        string paint = isHollow ? $"fill=\"none\" stroke=\"{color}\" stroke-dasharray=\"4 3\"" : $"fill=\"{color}\"";
        _body.Append(FormattableString.Invariant(
            $"<rect x=\"{x:0.#}\" y=\"{y:0.#}\" width=\"{width:0.#}\" height=\"{height:0.#}\" rx=\"2\" {paint}/>\n"));
    }

    public void Line(double x1, double y1, double x2, double y2, string color, double width) =>
        _body.Append(FormattableString.Invariant(
            $"<line x1=\"{x1:0.#}\" y1=\"{y1:0.#}\" x2=\"{x2:0.#}\" y2=\"{y2:0.#}\" "))
            .Append(FormattableString.Invariant($"stroke=\"{color}\" stroke-width=\"{width}\"/>\n"));

    public void Curve(IReadOnlyList<(double X, double Y)> points, string color, double width, bool isDashed)
    {
        string dash = isDashed ? " stroke-dasharray=\"6 4\"" : "";
        string path =
            string.Join(' ', points.Select(point => FormattableString.Invariant($"{point.X:0.#},{point.Y:0.#}")));
        _body.Append(FormattableString.Invariant(
            $"<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dash}/>\n"));
        foreach ((double x, double y) in points)
        {
            _body.Append(FormattableString.Invariant(
                $"<circle cx=\"{x:0.#}\" cy=\"{y:0.#}\" r=\"{width + 1}\" fill=\"{color}\"/>\n"));
        }
    }

    /// <summary>Returns the whole document.</summary>
    public string Finish(double height) =>
        FormattableString.Invariant($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {height:0}\" ")
        + FormattableString.Invariant($"width=\"{Width}\" height=\"{height:0}\" ")
        + $"font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"{Palette.Text}\">\n{_body}</svg>\n";
}
