using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProcessRunner;

/// <summary>
/// The error of a program that could not be started. <see cref="Win32Exception.NativeErrorCode"/> is the errno.
/// </summary>
public sealed class ProcessStartException : Win32Exception
{
    internal ProcessStartException(ProcessCommand command, int error, ProcessStartStep step, string reason)
        : base(error, Describe(command, error, reason))
    {
        FileName = command.FileName;
        WorkingDirectory = command.WorkingDirectory;
        Step = step;
    }

    /// <summary>Gets the program as it was asked for.</summary>
    public string FileName { get; }

    /// <summary>Gets the working directory that was asked for, or null for the caller's.</summary>
    public string? WorkingDirectory { get; }

    /// <summary>Gets the step that failed.</summary>
    public ProcessStartStep Step { get; }

    /// <summary>Gets whether the same start may well succeed a moment later.</summary>
    public bool IsTransient =>
        Step is ProcessStartStep.OutOfDescriptors or ProcessStartStep.OutOfResources or ProcessStartStep.Busy;

    private static string Describe(ProcessCommand command, int error, string reason)
    {
        string directory = command.WorkingDirectory is null ? "" : $" in directory '{command.WorkingDirectory}'";
        return $"Cannot start '{command.FileName}'{directory}: {reason}. "
            + $"({Marshal.GetPInvokeErrorMessage(error)}, errno {error})";
    }
}
