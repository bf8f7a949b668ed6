using System;
using System.Threading;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Runs ProcessRunner: an executor for each child, Run, then Wait.</summary>
internal sealed class LibraryRunner(LibraryForm form) : IChildRunner
{
    private const int LimitedBytes = 2048;

    private static readonly ProcessEngine s_environmentOnce =
        new(new ProcessEngineOptions { TakeEnvironmentOnce = true });

    public IRunningChild Start(ChildJob job) => new Child(job, form);

    private sealed class Child : IRunningChild
    {
        private readonly ProcessExecutor _executor;
        private readonly LibraryForm _form;
        private long _outputBytes;
        private long _errorBytes;
        private ProcessResult? _result;

        public Child(ChildJob job, LibraryForm form)
        {
            _form = form;
            ProcessCommand command = new(job.Program);
            if (job.Input is not null)
            {
                command = command with { StandardInput = InputSource.FromText(job.Input) };
            }

            // The default is a capture.
            if (form == LibraryForm.Merged)
            {
                command = command with { StandardError = OutputTarget.MergeIntoOutput };
            }
            else if (form is not (LibraryForm.Bytes or LibraryForm.BytesEnvironmentOnce or LibraryForm.Text))
            {
                command = command with
                {
                    StandardOutput = Target(count => _outputBytes += count),
                    StandardError = Target(count => _errorBytes += count),
                };
            }

            _executor = new ProcessExecutor(
                "child", command, form == LibraryForm.BytesEnvironmentOnce ? s_environmentOnce : null);
            _executor.Run(job.Arguments);
        }

        private bool CountsItself => _form is LibraryForm.Lines or LibraryForm.Spans;

        public void Wait() => _result = _executor.Wait();

        public ChildReport Report()
        {
            ProcessResult result = _result!;
            string? text = _form == LibraryForm.Text ? result.StandardOutput.Text : null;
            long errorBytes = text is null ? result.StandardError.TotalBytes : result.StandardError.Text.Length;
            result.StandardOutput.Release();
            result.StandardError.Release();
            return CountsItself
                ? new ChildReport(result.ExitCode, Volatile.Read(ref _outputBytes), Volatile.Read(ref _errorBytes))
                : new ChildReport(result.ExitCode, text?.Length ?? result.StandardOutput.TotalBytes, errorBytes, text);
        }

        // An executor has no Kill. SIGTERM ends these children, which handle no signal.
        public void Kill() => _executor.RequestStop();

        public void Dispose() => _executor.Dispose();

        private OutputTarget Target(Action<int> count) => _form switch
        {
            LibraryForm.Lines => OutputTarget.ToLines(line => count(line.Content.Length + 1)),
            LibraryForm.Spans => OutputTarget.ToBytes(bytes => count(bytes.Length)),
            LibraryForm.Discard => OutputTarget.ToBytes(_ => { }),
            _ => OutputTarget.Capture(LimitedBytes),
        };
    }
}
