using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Portable;

/// <summary>Represents a process that <see cref="Process"/> starts.</summary>
internal sealed class RealProcess(ProcessStartInfo info) : PortableProcess
{
    private const int MostLooksForDescendants = 20;

    private readonly Process _process = new() { StartInfo = info };

    private Stream? _input;
    private ulong _endings;

    public override int Id => _process.Id;

    public override Stream? Input => _input ??= StandardInput is Stream stream ? InputOf(stream) : null;

    public override Stream? Output =>
        info.RedirectStandardOutput ? _process.StandardOutput.BaseStream : null;

    public override Stream? Error =>
        info.RedirectStandardError ? _process.StandardError.BaseStream : null;

    public override bool HasEnded
    {
        get
        {
            bool hasExited = false;
            Uninterruptible.Do(_process, process => hasExited = process.HasExited);
            return hasExited;
        }
    }

    // On Unix .NET reports a death by a signal as an exit code, 128 plus the number, which a program can return as
    // well. If a stop sent that signal, it counts as the cause.
    public override ExitStatus Status
    {
        get
        {
            if (ExitCode() is not int code)
            {
                return ExitStatus.Lost;
            }

            int signal = code - UnixSignal.FirstExitCode;
            return !OperatingSystem.IsWindows() && signal is > 0 and < 64 && (_endings & (1UL << signal)) != 0
                ? ExitStatus.Signaled(SignalName.Named(signal), signal, coreDumped: false)
                : ExitStatus.Exited(code);
        }
    }

    // .NET keeps the processor time of a process that has ended on Windows only, and nowhere the peak of the memory.
    public override ResourceUse Use
    {
        get
        {
            try
            {
                return OperatingSystem.IsWindows()
                    ? new ResourceUse(
                        _process.UserProcessorTime, _process.PrivilegedProcessorTime, PeakWorkingSet: 0)
                    : default;
            }
            catch (Exception exception)
                when (exception is InvalidOperationException or Win32Exception or OutOfMemoryException)
            {
                return default;
            }
        }
    }

    private Stream? StandardInput => info.RedirectStandardInput ? _process.StandardInput.BaseStream : null;

    // Returns as well if .NET cannot tell the end. A wait that finds no memory begins again.
    public override void AwaitExit() => MemoryRetry.Do(_process, static process =>
    {
        try
        {
            FaultPoint.Allocate("Process.WaitForExit");
            process.WaitForExit();
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            // The exit code is not known either.
        }
    });

    // The terminal tells the child, which is in the group of this process.
    public override void Interrupt()
    {
    }

    public override bool RequestStop(PosixSignal signal)
    {
        if (OperatingSystem.IsWindows())
        {
            // Windows has no request that every program understands.
            Kill();
            return true;
        }

        int number = SignalName.NumberOf(signal);
        bool isAsked = TrySend(number);
        _endings |= isAsked ? 1UL << number : 0;

        // A suspended child handles its signals only after it continues.
        TrySend(SignalName.NumberOf(PosixSignal.SIGCONT));
        return isAsked;
    }

    public override SignalDelivery TrySignal(PosixSignal signal)
    {
        if (!OperatingSystem.IsWindows())
        {
            return TrySend(SignalName.NumberOf(signal)) ? SignalDelivery.Sent : SignalDelivery.Gone;
        }

        // .NET can end a process there, and sends no console event.
        return (int)signal != UnixSignal.SIGKILL ? SignalDelivery.Unsupported
            : TryKillAlone() ? SignalDelivery.Sent
            : SignalDelivery.Gone;
    }

    public override bool TryKillTree()
    {
        _endings |= 1UL << UnixSignal.SIGKILL;
        if (FaultPoint.Fails("Process.Kill"))
        {
            return false;
        }

        try
        {
            Uninterruptible.Do(_process, static process => process.Kill(entireProcessTree: true));
            return true;
        }
        catch (AggregateException)
        {
            // .NET has found all of them, and has killed those that it may.
            return true;
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // .NET looks at all processes of the system, and gives up at one that just starts.
            return false;
        }
    }

    // Kills the descendants as well, if a few looks find them.
    public override void Kill()
    {
        _endings |= 1UL << UnixSignal.SIGKILL;
        try
        {
            for (int left = MostLooksForDescendants; left > 0; left--)
            {
                if (TryKillTree())
                {
                    return;
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // To kill the child alone takes none.
        }

        _ = TryKillAlone();
    }

    /// <summary>Starts the process. Requires that this has not been called before.</summary>
    public void Start() => _process.Start();

    /// <summary>Releases the pipes, which <see cref="Process"/> leaves to those that have asked for them.</summary>
    public void DisposePipes()
    {
        (_input ?? StandardInput)?.Dispose();
        Output?.Dispose();
        Error?.Dispose();
    }

    public override void Dispose() => _process.Dispose();

    // On Unix, .NET notes the end before the code: while another thread asks whether the process has ended, the code
    // can be zero. Null if .NET cannot tell it.
    private int? ExitCode()
    {
        try
        {
            return _process.ExitCode;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            return null;
        }
    }

    // Returns false if the child has ended.
    private bool TryKillAlone()
    {
        bool isAlive = !HasEnded;
        try
        {
            Uninterruptible.Do(_process, static process => process.Kill());
            return isAlive;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            return false;
        }
    }

    // On Windows .NET has a FileStream for the pipe, which takes ERROR_NO_DATA for success: it does not tell that the
    // child no longer reads.
    [SuppressMessage("Reliability", "CA2000", Justification = "The stream owns the handle.")]
    private static Stream InputOf(Stream stream)
    {
        if (stream is not FileStream { SafeFileHandle: SafeFileHandle file })
        {
            return stream;
        }

        SafePipeHandle pipe = new(file.DangerousGetHandle(), ownsHandle: true);
        file.SetHandleAsInvalid();
        return new AnonymousPipeClientStream(PipeDirection.Out, pipe);
    }

    // Asks the runtime last of all, which may have reaped the child already.
    [UnsupportedOSPlatform("windows")]
    private bool TrySend(int signal) => !HasEnded && UnixSignal.Send(Id, signal);
}
