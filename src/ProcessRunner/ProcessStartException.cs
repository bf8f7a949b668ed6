using System;
using System.ComponentModel;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner;

/// <summary>
/// The exception for a program that could not be started. <see cref="Win32Exception.NativeErrorCode"/> is the errno,
/// or the error code of Windows.
/// </summary>
public sealed class ProcessStartException : Win32Exception
{
    /// <summary>Initializes an exception for a command that could not be started, for tests.</summary>
    /// <param name="command">The command.</param>
    /// <param name="step">The step that failed.</param>
    /// <param name="reason">The reason, for the message.</param>
    /// <param name="error">The errno, or the error code of Windows.</param>
    /// <exception cref="ArgumentNullException">The command or the reason is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such step.</exception>
    public ProcessStartException(ProcessCommand command, ProcessStartStep step, string reason, int error = 0)
        : this(
            command ?? throw new ArgumentNullException(nameof(command)),
            error,
            Enum.IsDefined(step)
                ? step
                : throw new ArgumentOutOfRangeException(nameof(step), step, "There is no such step."),
            reason ?? throw new ArgumentNullException(nameof(reason)))
    {
    }

    internal ProcessStartException(ProcessCommand? command, int error, ProcessStartStep step, string reason)
        : base(error, Describe(command, error, step, reason))
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

    private static string Describe(ProcessCommand? command, int error, ProcessStartStep step, string reason)
    {
        string program = command is null ? "the engine" : $"'{command.FileName}'";
        string directory = command?.WorkingDirectory is null ? "" : $" in directory '{command.WorkingDirectory}'";

        // Hidden before it is split, which would split a secret of several words.
        string advice =
            command is not null && step == ProcessStartStep.NotFound ? Advice(command.Hide(command.FileName)) : "";
        string kind = OperatingSystem.IsWindows() ? "error" : "errno";
        string cause = error == 0 ? "" : $" ({Marshal.GetPInvokeErrorMessage(error)}, {kind} {error})";
        string text = $"Cannot start {program}{directory}: {reason}.{advice}{cause}";
        return command?.Hide(text) ?? text;
    }

    private static string Advice(string fileName)
    {
        string[] words = fileName.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length > 1)
        {
            return " Each argument is a string of its own: "
                + $"new ProcessCommand({string.Join(", ", words.Select(word => $"\"{word}\""))}).";
        }

        bool isRelative = Path.GetFileName(fileName) != fileName && !Path.IsPathRooted(fileName);
        return isRelative && CallersDirectory() is string directory
            ? $" A relative path begins at '{directory}'."
            : "";
    }

    // Null if the directory has been deleted.
    private static string? CallersDirectory()
    {
        try
        {
            return Environment.CurrentDirectory;
        }
        catch (IOException)
        {
            return null;
        }
    }
}
