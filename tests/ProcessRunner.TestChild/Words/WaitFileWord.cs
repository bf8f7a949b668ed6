using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestChild.Words;

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
