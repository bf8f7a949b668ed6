using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Runs ProcessRunner: RunAsync for each child, and a thread that blocks on its task.</summary>
internal sealed class LibraryAsyncRunner : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job);

    private sealed class Child : IRunningChild
    {
        private readonly CancellationTokenSource _stop = new();
        private readonly Task<ProcessResult> _run;

        public Child(ChildJob job)
        {
            ProcessCommand command = new(job.Program, job.Arguments);
            if (job.Input is not null)
            {
                command = command with { StandardInput = InputSource.FromText(job.Input) };
            }

            _run = command.RunAsync(_stop.Token);
        }

        public void Wait() => _run.GetAwaiter().GetResult();

        public ChildReport Report()
        {
            ProcessResult result = _run.Result;
            result.StandardOutput.Release();
            result.StandardError.Release();
            return new ChildReport(result.ExitCode, result.StandardOutput.TotalBytes, result.StandardError.TotalBytes);
        }

        public void Kill() => _stop.Cancel();

        public void Dispose() => _stop.Dispose();
    }
}
