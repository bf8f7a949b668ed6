using System;
using System.Collections.Generic;
using System.Linq;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace PTest.Output;

/// <summary>Represents one line of coloured text that is cut off at a width.</summary>
internal sealed class StateLine(IReadOnlyList<(string Text, Color Color)> parts, int width) : Renderable
{
    protected override IEnumerable<Segment> Render(RenderOptions options, int maxWidth)
    {
        IEnumerable<Segment> segments = parts.Select(part => new Segment(
            string.Concat(part.Text.Select(c => char.IsControl(c) ? ' ' : c)), new Style(part.Color)));
        return Segment.Truncate(segments, Math.Min(width, maxWidth));
    }
}
