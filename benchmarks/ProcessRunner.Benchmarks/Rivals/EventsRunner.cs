using System.Diagnostics;
using System.Threading;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>
/// Runs Process as its documentation shows it: an event for each line of both streams, then WaitForExit.
/// </summary>
internal sealed class EventsRunner : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job);

    private sealed class Child : IRunningChild
    {
        private readonly Process _process;
        private long _outputBytes;
        private long _errorBytes;
        private string? _lastLine;

        public Child(ChildJob job)
        {
            _process = PlainProcess.Create(job);
            _process.OutputDataReceived += (_, line) =>
            {
                _outputBytes += Length(line);
                _lastLine = line.Data ?? _lastLine;
            };
            _process.ErrorDataReceived += (_, line) => _errorBytes += Length(line);
            _process.Start();
            _process.BeginOutputReadLine();
            _process.BeginErrorReadLine();
            PlainProcess.WriteInput(_process, job);
        }

        public void Wait() => _process.WaitForExit();

        public ChildReport Report() => new(
            _process.ExitCode, Volatile.Read(ref _outputBytes), Volatile.Read(ref _errorBytes), _lastLine);

        public void Kill() => _process.Kill();

        public void Dispose() => _process.Dispose();

        // The text is ASCII, and the line lacks its line end.
        private static int Length(DataReceivedEventArgs line) => line.Data is null ? 0 : line.Data.Length + 1;
    }
}
