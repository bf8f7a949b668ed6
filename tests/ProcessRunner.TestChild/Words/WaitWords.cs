using System;
using System.Globalization;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

internal sealed class SleepWord : Word
{
    public const string Id = "sleep";

    private int _delay;

    public override string Name => Id;

    public override string Values => "MS";

    public override string Description => "waits MS milliseconds";

    protected override int ValueCount => 1;

    public override void Run() => Thread.Sleep(_delay);

    protected override void Accept(ReadOnlySpan<string> values) =>
        _delay = (int)Number("MS", values[0], 0, LongestDelay);
}

internal sealed class TouchWord : Word
{
    public const string Id = "touch";

    private string _file = "";

    public override string Name => Id;

    public override string Values => "FILE";

    public override string Description => "creates FILE atomically, with the process id as its line";

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

internal sealed class WaitFileWord : Word
{
    public const string Id = "wait-file";

    private const int Interval = 10;

    private string _file = "";

    public override string Name => Id;

    public override string Values => "FILE";

    public override string Description => "waits until FILE exists, looking every 10 ms";

    protected override int ValueCount => 1;

    public override void Run()
    {
        while (!File.Exists(_file))
        {
            Thread.Sleep(Interval);
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) =>
        _file = values[0].Length > 0 ? values[0] : throw BadValue("FILE is a path", values[0]);
}
