using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>
/// Runs Process with asynchronous reads of both streams and WaitForExitAsync, then a blocking wait. In a process with
/// <see cref="InlineCompletions"/> it is a separate rival: the reads continue on the thread that polls the sockets.
/// </summary>
internal sealed class AsyncRunner(RivalForm form) : IChildRunner
{
    /// <summary>
    /// The variable that makes the runtime complete reads inline if it is 1 at the start of the process.
    /// </summary>
    public const string InlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    public IRunningChild Start(ChildJob job) => new Child(job, form);

    private sealed class Child : IRunningChild
    {
        private readonly Process _process;
        private readonly Task<(long Bytes, string? Text)> _output;
        private readonly Task<(long Bytes, string? Text)> _error;

        public Child(ChildJob job, RivalForm form)
        {
            _process = PlainProcess.Create(job);
            _process.Start();
            _output = ReadAsync(_process.StandardOutput, form);
            _error = ReadAsync(_process.StandardError, form);
            PlainProcess.WriteInput(_process, job);
        }

        public void Wait() => WaitAsync().GetAwaiter().GetResult();

        public ChildReport Report()
        {
            (long outputBytes, string? output) = _output.Result;
            return new ChildReport(_process.ExitCode, outputBytes, _error.Result.Bytes, output);
        }

        public void Kill() => _process.Kill();

        public void Dispose() => _process.Dispose();

        private static async Task<(long Bytes, string? Text)> ReadAsync(StreamReader reader, RivalForm form)
        {
            switch (form)
            {
                case RivalForm.Text:
                    string text = await reader.ReadToEndAsync();
                    return (text.Length, text);

                case RivalForm.Bytes:
                    using (MemoryStream bytes = new())
                    {
                        await reader.BaseStream.CopyToAsync(bytes);
                        return (bytes.Length, null);
                    }

                case RivalForm.Lines:
                    long length = 0;
                    while (await reader.ReadLineAsync() is string line)
                    {
                        length += line.Length + 1;
                    }

                    return (length, null);

                default:
                    throw new ArgumentOutOfRangeException(nameof(form), form, "No such form.");
            }
        }

        private async Task WaitAsync()
        {
            await _output;
            await _error;
            await _process.WaitForExitAsync();
        }
    }
}
