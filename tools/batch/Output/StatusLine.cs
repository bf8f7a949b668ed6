using System.Collections.Generic;
using System.Linq;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Batch.Output;

/// <summary>
/// Represents a line that is cut off at the edge of the terminal. The line must not wrap, because erasing counts the
/// lines.
/// </summary>
internal sealed class StatusLine(params IEnumerable<(string Text, Color Color)> parts) : IRenderable
{
    private readonly Segment[] _segments = [.. parts.Select(part => new Segment(part.Text, new Style(part.Color)))];

    public Measurement Measure(RenderOptions options, int maxWidth) => new(0, maxWidth);

    public IEnumerable<Segment> Render(RenderOptions options, int maxWidth)
    {
        // Some terminals begin a new line after a character in the last column.
        int room = maxWidth - 1;
        foreach (Segment segment in _segments)
        {
            int width = segment.CellCount();
            if (width > room)
            {
                yield return Segment.Truncate(segment, room) ?? Segment.Empty;
                break;
            }

            room -= width;
            yield return segment;
        }

        yield return Segment.LineBreak;
    }
}
