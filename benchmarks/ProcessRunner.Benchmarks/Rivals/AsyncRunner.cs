using System.Diagnostics;
using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>
/// Process with ReadToEndAsync on both streams and WaitForExitAsync, then a blocking wait. In a process with
/// <see cref="InlineCompletions"/> it is a rival of its own: the reads go on on the thread that polls the sockets.
/// </summary>
internal sealed class AsyncRunner : IChildRunner
{
    /// <summary>The variable that has the runtime complete reads inline, if it is 1 when the process starts.</summary>
    public const string InlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    public IRunningChild Start(ChildJob job) => new Child(job);

    private sealed class Child : IRunningChild
    {
        private readonly Process _process;
        private readonly Task<string> _output;
        private readonly Task<string> _error;

        public Child(ChildJob job)
        {
            _process = PlainProcess.Create(job);
            _process.Start();
            _output = _process.StandardOutput.ReadToEndAsync();
            _error = _process.StandardError.ReadToEndAsync();
            PlainProcess.WriteInput(_process, job);
        }

        public ChildReport Wait() => WaitAsync().GetAwaiter().GetResult();

        public void Kill() => _process.Kill();

        public void Dispose() => _process.Dispose();

        private async Task<ChildReport> WaitAsync()
        {
            string output = await _output;
            string error = await _error;
            await _process.WaitForExitAsync();
            return new ChildReport(_process.ExitCode, output.Length, error.Length, output);
        }
    }
}
