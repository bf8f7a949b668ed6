using System.IO;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Streams.Pumps;

/// <summary>Provides the input of a child from a file, which a delivery thread reads.</summary>
internal sealed class FilePump(RunStreams run, string path) : StreamPump(run, stream: null)
{
    public override void Open() => Source = PumpedFile.Open(path, FileMode.Open, FileAccess.Read, "input");

    public override void CloseUnstarted() => Source?.Dispose();

    protected override void OnEnd() => Source!.Dispose();
}
