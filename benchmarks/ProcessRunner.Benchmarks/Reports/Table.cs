using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Formats a table in Markdown that is also legible as plain text.</summary>
internal sealed class Table(params IEnumerable<string> heads)
{
    private const int NarrowestColumn = 3;

    private readonly List<string[]> _rows = [[.. heads]];

    public void Add(params IEnumerable<string> cells) => _rows.Add([.. cells]);

    public override string ToString()
    {
        int[] widths = [.. Enumerable.Range(0, _rows[0].Length)
            .Select(column => int.Max(NarrowestColumn, _rows.Max(row => row[column].Length)))];
        StringBuilder text = new();
        Append(text, _rows[0], widths);

        // The first column contains names, the others contain figures.
        Append(
            text,
            [
                .. widths.Select((width, column) =>
                    column == 0 ? new string('-', width) : new string('-', width - 1) + ":"),
            ],
            widths);
        foreach (string[] row in _rows.Skip(1))
        {
            Append(text, row, widths);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string[] cells, int[] widths)
    {
        for (int column = 0; column < cells.Length; column++)
        {
            string cell = column == 0 ? cells[column].PadRight(widths[column]) : cells[column].PadLeft(widths[column]);
            text.Append("| ").Append(cell).Append(' ');
        }

        text.Append("|\n");
    }
}
