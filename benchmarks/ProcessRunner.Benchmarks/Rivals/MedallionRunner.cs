using Medallion.Shell;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>MedallionShell, with a blocking wait.</summary>
internal sealed class MedallionRunner : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job);

    private sealed class Child : IRunningChild
    {
        private readonly Command _command;

        public Child(ChildJob job)
        {
            _command = Command.Run(job.Program, job.Arguments);
            if (job.Input is not null)
            {
                _command.StandardInput.Write(job.Input);
            }

            _command.StandardInput.Close();
        }

        public ChildReport Wait()
        {
            CommandResult result = _command.Result;
            return new ChildReport(
                result.ExitCode, result.StandardOutput.Length, result.StandardError.Length, result.StandardOutput);
        }

        public void Kill() => _command.Kill();

        public void Dispose() => ((System.IDisposable)_command).Dispose();
    }
}
