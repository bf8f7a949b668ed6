using System;
using System.Globalization;
using System.IO;

namespace ProcessRunner.TestChild.Words;

internal sealed class TouchWord : Word
{
    public const string Id = "touch";

    private string _file = "";

    public override string Name => Id;

    public override string Values => "FILE";

    public override string Description => "makes FILE appear, complete with the process id as its line";

    protected override int ValueCount => 1;

    public override void Run()
    {
        string processId = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        string temporary = _file + "." + processId;
        try
        {
            File.WriteAllText(temporary, processId + "\n");
            File.Move(temporary, _file, overwrite: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new WordFailedException($"'{Name} {_file}': {exception.GetType().Name}");
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _file = values[0].Length > 0 ? values[0] : throw BadValue("FILE is a path", values[0]);
}
