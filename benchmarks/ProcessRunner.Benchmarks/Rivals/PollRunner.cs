using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>
/// Runs Process with a poll(2) loop over both pipes on the calling thread, like RunAndCaptureText of .NET 11. It needs
/// no ThreadPool thread, but one thread of the caller for each child.
/// </summary>
/// <param name="form">Text, which decodes the bytes at the end, or Bytes.</param>
internal sealed class PollRunner(RivalForm form) : IChildRunner
{
    public IRunningChild Start(ChildJob job) => new Child(job, form);

    private sealed class Child : IRunningChild
    {
        private readonly Process _process;
        private readonly RivalForm _form;
        private GrowingBuffer? _output;
        private GrowingBuffer? _error;

        public Child(ChildJob job, RivalForm form)
        {
            _form = form;
            _process = PlainProcess.Create(job);
            _process.Start();
            PlainProcess.WriteInput(_process, job);
        }

        public void Wait()
        {
            _output = new GrowingBuffer();
            _error = new GrowingBuffer();
            Drain(_process.StandardOutput, _output, _process.StandardError, _error);
            _process.WaitForExit();
        }

        public ChildReport Report()
        {
            ReadOnlySpan<byte> output = _output!.Written;
            ReadOnlySpan<byte> error = _error!.Written;
            if (_form == RivalForm.Bytes)
            {
                return new ChildReport(_process.ExitCode, output.Length, error.Length);
            }

            string outputText = Encoding.UTF8.GetString(output);
            string errorText = Encoding.UTF8.GetString(error);
            return new ChildReport(_process.ExitCode, outputText.Length, errorText.Length, outputText);
        }

        public void Kill() => _process.Kill();

        public void Dispose()
        {
            _output?.Dispose();
            _error?.Dispose();
            _process.Dispose();
        }

        private static unsafe void Drain(
            StreamReader output, GrowingBuffer outputBuffer, StreamReader error, GrowingBuffer errorBuffer)
        {
            using SafePipeHandle outputHandle = Handle(output);
            using SafePipeHandle errorHandle = Handle(error);
            LibC.PollDescriptor* polled = stackalloc LibC.PollDescriptor[2];
            polled[0] = new() { Descriptor = (int)outputHandle.DangerousGetHandle(), Events = LibC.PollIn };
            polled[1] = new() { Descriptor = (int)errorHandle.DangerousGetHandle(), Events = LibC.PollIn };
            while (polled[0].Descriptor >= 0 || polled[1].Descriptor >= 0)
            {
                if (LibC.Poll(polled, 2, -1) < 0)
                {
                    ThrowUnlessInterrupted("poll");
                    continue;
                }

                for (int i = 0; i < 2; i++)
                {
                    if (polled[i].Returned != 0 && !ReadOnce(polled[i].Descriptor, i == 0 ? outputBuffer : errorBuffer))
                    {
                        // A negative descriptor is excluded from the next poll.
                        polled[i].Descriptor = -1;
                        polled[i].Returned = 0;
                    }
                }
            }
        }

        private static SafePipeHandle Handle(StreamReader reader) => ((PipeStream)reader.BaseStream).SafePipeHandle;

        // Returns false at the end of the stream.
        private static unsafe bool ReadOnce(int descriptor, GrowingBuffer buffer)
        {
            Span<byte> room = buffer.Room;
            nint count;
            fixed (byte* start = room)
            {
                while ((count = LibC.Read(descriptor, start, (nuint)room.Length)) < 0)
                {
                    ThrowUnlessInterrupted("read");
                }
            }

            buffer.Commit((int)count);
            return count > 0;
        }

        private static void ThrowUnlessInterrupted(string call)
        {
            int error = Marshal.GetLastPInvokeError();
            if (error != LibC.InterruptedCall)
            {
                throw new Win32Exception(error, call);
            }
        }
    }
}
