using System.IO;
using PTest.Verdicts;
using Spectre.Console;

namespace PTest.Output;

/// <summary>Writes text, in colours where the terminal has them.</summary>
internal sealed class TextOutput(TextWriter writer, IAnsiConsole? console)
{
    public void Verdict(Verdict verdict, bool isFailure)
    {
        string word = $"{verdict.Text(),8}";
        if (console is null)
        {
            writer.Write(word);
            return;
        }

        Color color = isFailure ? Color.Red
            : verdict is Verdicts.Verdict.Pass ? Color.Green
            : Color.Yellow;
        console.Write(new Text(word, new Style(color)));
    }

    public void Line(string text) => writer.WriteLine(text);

    public void Indented(string text)
    {
        foreach (string line in text.TrimEnd().Split('\n'))
        {
            writer.WriteLine($"           {line.TrimEnd('\r')}");
        }
    }
}
