using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <content>The equality of commands.</content>
public sealed partial record ProcessCommand
{
    /// <summary>
    /// Returns whether another command is equal: all settings are equal, the arguments and the exit codes one by
    /// one. Streams, callbacks and writers are equal if they are the same objects.
    /// </summary>
    /// <param name="other">The other command.</param>
    public bool Equals(ProcessCommand? other) =>
        ReferenceEquals(this, other)
        || (other is not null
            && Settings.Equals(other.Settings)
            && Arguments.AsSpan().SequenceEqual(other.Arguments.AsSpan())
            && _secrets.AsSpan().SequenceEqual(other._secrets.AsSpan())
            && ExitCodes.SequenceEqual(other.ExitCodes)
            && Environment.Count == other.Environment.Count
            && Environment.All(change => other.Environment.Contains(change)));

    /// <summary>Returns a hash code that equal commands share.</summary>
    public override int GetHashCode()
    {
        HashCode code = default;
        code.Add(Settings);
        foreach (string argument in Arguments)
        {
            code.Add(argument);
        }

        code.Add(Environment.Count);
        return code.ToHashCode();
    }

    private CommandSettings Settings => new(
        FileName,
        WorkingDirectory,
        InheritEnvironment,
        StandardInput,
        StandardOutput,
        StandardError,
        Encoding,
        Timeout,
        StopSignal,
        StopGrace,
        DrainGrace,
        Descendants,
        GroupMode,
        AcceptsExitCode,
        _extras);

    // Every setting that is a single value.
    private readonly record struct CommandSettings(
        string FileName,
        string? WorkingDirectory,
        bool InheritEnvironment,
        InputSource StandardInput,
        OutputTarget StandardOutput,
        OutputTarget StandardError,
        Encoding Encoding,
        TimeSpan Timeout,
        PosixSignal StopSignal,
        TimeSpan StopGrace,
        TimeSpan DrainGrace,
        DescendantPolicy Descendants,
        ProcessGroupMode GroupMode,
        Func<int, bool>? AcceptsExitCode,
        CommandExtras? Extras);
}
