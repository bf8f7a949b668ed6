using System;
using System.Linq;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>Refuses commands with a setting that their run could not enforce, reach or repeat.</summary>
internal static class CommandChecks
{
    /// <summary>Refuses an <see cref="ProcessCommand.IdleTimeout"/> if the output bypasses this process.</summary>
    /// <exception cref="InvalidOperationException">
    /// The command has an <see cref="ProcessCommand.IdleTimeout"/>, but its output bypasses this process.
    /// </exception>
    public static void ThrowIfSilenceIsUnheard(ProcessCommand command)
    {
        StreamBindingKind output = command.StandardOutput.Binding.Kind;
        StreamBindingKind error = command.StandardError.Binding.Kind;
        bool isHeard = (output, error) is
            (StreamBindingKind.Pipe, StreamBindingKind.Pipe or StreamBindingKind.Output or StreamBindingKind.Null)
            or (StreamBindingKind.Null, StreamBindingKind.Pipe);
        if (command.IdleTimeout >= TimeSpan.Zero && !isHeard)
        {
            throw new InvalidOperationException(
                "An IdleTimeout needs streams that this process reads: a child that writes to a file, an inherited "
                + $"stream or the next stage of a pipeline seems silent. ({command})");
        }
    }

    /// <summary>Refuses settings that the backend cannot carry out.</summary>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    public static void ThrowIfImpossible(ProcessCommand command, ProcessBackend backend)
    {
        BackendCapabilities capabilities = backend.Capabilities;
        if (!capabilities.ChoosesGroups && (command.GroupMode is ProcessGroupMode.Own or ProcessGroupMode.Session))
        {
            throw new PlatformNotSupportedException(
                $"The portable backend cannot start a child with {nameof(ProcessGroupMode)}.{command.GroupMode}: use "
                + $"Auto or Inherit. ({command})");
        }

        if (!capabilities.PassesHandles && ((ILaunchPlan)command).HasExtraStreams)
        {
            throw new PlatformNotSupportedException(
                $"This backend cannot pass handles to a child: Channels, {nameof(InputSource.FromHandle)} and "
                + $"{nameof(OutputTarget.ToHandle)} need a native one. ({command})");
        }

        if (((ILaunchPlan)command).Settings is { Features: not LaunchFeatures.None and LaunchFeatures needed }
            && (needed & ~backend.Features) is not LaunchFeatures.None and LaunchFeatures missing)
        {
            throw new PlatformNotSupportedException(
                $"This backend cannot start a child with {missing}; see docs/platforms.md. ({command})");
        }

        if (!capabilities.PassesBytes && command.Arguments.Any(static argument => LoneByte.IsIn(argument)))
        {
            throw new PlatformNotSupportedException(
                $"This backend can pass only text as arguments; see docs/platforms.md. ({command})");
        }

        if (!capabilities.FindsDescendants
            && (command.Descendants is DescendantPolicy.Report or DescendantPolicy.KillAlways))
        {
            throw new PlatformNotSupportedException(
                $"The portable backend cannot find descendants after the exit of the child, as "
                + $"{nameof(DescendantPolicy)}.{command.Descendants} requires: use KillOnStop or Leave. ({command})");
        }
    }

    /// <summary>Refuses streams that require a <see cref="ChildProcess"/>, for a run that has none.</summary>
    /// <exception cref="InvalidOperationException">A stream requires a <see cref="ChildProcess"/>.</exception>
    public static void ThrowIfUnreachable(ProcessCommand command)
    {
        if (command.StandardInput == InputSource.Pipe || command.StandardOutput.IsLive || command.StandardError.IsLive)
        {
            throw new InvalidOperationException(
                "InputSource.Pipe and OutputTarget.Live need a ChildProcess, which this run does not return: use "
                + "ProcessCommand.Start, or another source (FromText, FromStream) or target (ToLines). "
                + $"({command})");
        }
    }

    /// <summary>Refuses an input that can be read only once, for a batch in which another run may read it.</summary>
    /// <exception cref="InvalidOperationException">Two runs would share the bytes of the input.</exception>
    public static void ThrowIfReadOnce(ProcessCommand command)
    {
        if (command.StandardInput.IsReadOnce)
        {
            throw new InvalidOperationException(
                "An InputSource.FromStream can be read once, and another run of this batch may read it (Retry, "
                + "RepeatCount, RepeatFor, or another command with the same source): use FromBytes, FromText or "
                + $"FromFile. ({command})");
        }
    }
}
