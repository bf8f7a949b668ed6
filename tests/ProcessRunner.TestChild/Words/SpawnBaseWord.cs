using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;

namespace ProcessRunner.TestChild.Words;

/// <summary>Starts this program again with the words up to the matching <c>end</c>.</summary>
internal abstract class SpawnBaseWord : Word
{
    private string[] _arguments = [];

    public override string Values => "WORD... " + Parser.End;

    public override void Read(ArgumentCursor cursor) => _arguments = Parser.TakeNested(this, cursor);

    protected Process Start()
    {
        string program = Environment.ProcessPath ?? throw new WordFailedException("the program's own path is unknown");
        var startInfo = new ProcessStartInfo(program) { UseShellExecute = false };
        if (Path.GetFileName(program) == "dotnet")
        {
            startInfo.ArgumentList.Add(typeof(SpawnBaseWord).Assembly.Location);
        }

        foreach (string argument in _arguments)
        {
            startInfo.ArgumentList.Add(argument);
        }

        try
        {
            return Process.Start(startInfo)!;
        }
        catch (Win32Exception exception)
        {
            throw new WordFailedException($"'{Name}': {exception.Message}");
        }
    }
}
