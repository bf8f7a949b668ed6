using System.Collections.Generic;
using System.IO;
using System.Linq;
using Medallion.Shell;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Runs MedallionShell with a blocking wait.</summary>
internal sealed class MedallionRunner(RivalForm form) : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job, form);

    private sealed class Child : IRunningChild
    {
        private readonly Command _command;
        private readonly (MemoryStream Output, MemoryStream Error)? _bytes;
        private readonly (List<string> Output, List<string> Error)? _lines;

        public Child(ChildJob job, RivalForm form)
        {
            _command = Command.Run(job.Program, job.Arguments);
            if (form == RivalForm.Bytes)
            {
                _bytes = (new MemoryStream(), new MemoryStream());
                _command = _command.RedirectTo(_bytes.Value.Output).RedirectStandardErrorTo(_bytes.Value.Error);
            }
            else if (form == RivalForm.Lines)
            {
                _lines = ([], []);
                _command = _command.RedirectTo(_lines.Value.Output).RedirectStandardErrorTo(_lines.Value.Error);
            }

            if (job.Input is not null)
            {
                _command.StandardInput.Write(job.Input);
            }

            _command.StandardInput.Close();
        }

        public void Wait() => _command.Wait();

        public ChildReport Report()
        {
            CommandResult result = _command.Result;
            return this switch
            {
                { _bytes: ({ } output, { } error) } => new ChildReport(result.ExitCode, output.Length, error.Length),
                { _lines: ({ } output, { } error) } => new ChildReport(result.ExitCode, Length(output), Length(error)),
                _ => new ChildReport(
                    result.ExitCode, result.StandardOutput.Length, result.StandardError.Length, result.StandardOutput),
            };
        }

        public void Kill() => _command.Kill();

        public void Dispose() => ((System.IDisposable)_command).Dispose();

        // The text is ASCII, and the line lacks its line end.
        private static long Length(List<string> lines) => lines.Sum(line => line.Length + 1L);
    }
}
