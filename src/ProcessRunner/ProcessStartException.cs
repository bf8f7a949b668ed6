using System.ComponentModel;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner;

/// <summary>
/// The exception for a program that could not be started. <see cref="Win32Exception.NativeErrorCode"/> is the errno.
/// </summary>
public sealed class ProcessStartException : Win32Exception
{
    internal ProcessStartException(ProcessCommand? command, int error, ProcessStartStep step, string reason)
        : base(error, Describe(command, error, reason))
    {
        FileName = command?.FileName ?? "";
        WorkingDirectory = command?.WorkingDirectory;
        Step = step;
    }

    internal ProcessStartException(ProcessCommand? command, LaunchException failure)
        : this(command, failure.NativeErrorCode, (ProcessStartStep)failure.Step, failure.Message)
    {
    }

    /// <summary>Gets the requested program; empty if the engine of a batch could not be created.</summary>
    public string FileName { get; }

    /// <summary>Gets the requested working directory, or null for the caller's.</summary>
    public string? WorkingDirectory { get; }

    /// <summary>Gets the step that failed.</summary>
    public ProcessStartStep Step { get; }

    /// <summary>Gets whether the same start may succeed a moment later.</summary>
    public bool IsTransient =>
        Step is ProcessStartStep.OutOfDescriptors or ProcessStartStep.OutOfResources or ProcessStartStep.Busy;

    private static string Describe(ProcessCommand? command, int error, string reason)
    {
        string program = command is null ? "the engine" : $"'{command.FileName}'";
        string directory = command?.WorkingDirectory is null ? "" : $" in directory '{command.WorkingDirectory}'";
        return $"Cannot start {program}{directory}: {reason}. "
            + $"({Marshal.GetPInvokeErrorMessage(error)}, errno {error})";
    }
}
