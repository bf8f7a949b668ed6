using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using ProcessRunner.Backends.Starts;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents the start of one child by <see cref="Process"/>. Every stream that is not inherited is a pipe of this
/// process, because <see cref="Process"/> offers nothing else. Immutable.
/// </summary>
internal sealed class PortableStart(ILaunchPlan plan, PortableEnvironment? inherited, SlotVariable slot)
    : IPortableStart
{
    public ILaunchPlan Plan => plan;

    public int Pipes => PipesFor(plan.Input) + PipesFor(plan.Output) + PipesFor(plan.Error);

    public void Prepare()
    {
    }

    public void Run(Action<PortableProcess> adopt)
    {
        ThrowIfImpossible();
        _ = ProgramSearch.Start<object?>(plan.FileName, file =>
        {
            Run(file, adopt);
            return null;
        });
    }

    private void Run(string file, Action<PortableProcess> adopt)
    {
        ThrowIfBatchFile(file);

        // All that could lack memory comes before the child, or ends it.
        RealProcess? process = new(Describe(file));
        bool isStarted = false;
        try
        {
            process.Start();
            isStarted = true;
            adopt(process);
            process = null;
        }
        catch (Win32Exception exception) when (
            exception.NativeErrorCode == StartError.AccessDenied && !MayEnterDirectory())
        {
            throw new LaunchException(
                exception.NativeErrorCode, LaunchStep.BadDirectory, LaunchReason.ClosedDirectory);
        }
        finally
        {
            if (isStarted)
            {
                process?.Kill();
                process?.DisposePipes();
            }

            process?.Dispose();
        }
    }

    private static int PipesFor(StreamBinding binding) => binding.Kind == StreamBindingKind.Inherit ? 0 : 1;

    private void ThrowIfImpossible()
    {
        if (plan.WorkingDirectory is string directory && !Directory.Exists(directory))
        {
            int error = File.Exists(directory) ? StartError.NotADirectory : StartError.FileNotFound;
            throw new LaunchException(error, LaunchStep.BadDirectory, LaunchReason.NoDirectory);
        }

        if ((plan.Output.Kind, plan.Error.Kind) == (StreamBindingKind.Inherit, StreamBindingKind.Output))
        {
            throw new LaunchException(
                0, LaunchStep.Other,
                "the portable backend cannot merge its standard error into an inherited standard output");
        }
    }

    // .NET reports the missing right to a directory as that to the program. To look up a name in the directory takes
    // the same right as to enter it.
    private bool MayEnterDirectory()
    {
        try
        {
            _ = plan.WorkingDirectory is string directory && File.GetAttributes(Path.Combine(directory, "none")) != 0;
            return true;
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        catch (IOException)
        {
            // There is no such name in it.
            return true;
        }
    }

    // The command interpreter parses the arguments of a batch file again, by rules of its own (CVE-2024-24576).
    private static void ThrowIfBatchFile(string path)
    {
        if (OperatingSystem.IsWindows() && BatchFile.Is(path))
        {
            throw new LaunchException(
                StartError.AccessDenied, LaunchStep.NotExecutable,
                $"'{path}' is a batch file, whose arguments cannot be passed on safely: run it by cmd.exe /c, and "
                + "quote its arguments for cmd.exe");
        }
    }

    private ProcessStartInfo Describe(string file)
    {
        ProcessStartInfo info = new(file, plan.Arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = plan.Input.Kind != StreamBindingKind.Inherit,
            RedirectStandardOutput = plan.Output.Kind != StreamBindingKind.Inherit,
            RedirectStandardError = plan.Error.Kind != StreamBindingKind.Inherit,
            WorkingDirectory = plan.WorkingDirectory ?? "",
        };

        // As natively: the child shares our console, where a Ctrl-C reaches it. Without one the system would show a
        // window.
        info.CreateNoWindow = OperatingSystem.IsWindows() && !OwnConsole.Exists();
        if (!plan.InheritEnvironment)
        {
            info.Environment.Clear();
        }
        else
        {
            inherited?.CopyTo(info.Environment);
        }

        foreach ((string name, string? value) in plan.Environment)
        {
            Set(info, name, value);
        }

        if (slot.Name is not null)
        {
            Set(info, slot.Name, slot.Slot.ToString(CultureInfo.InvariantCulture));
        }

        return info;
    }

    private static void Set(ProcessStartInfo info, string name, string? value)
    {
        if (value is null)
        {
            info.Environment.Remove(name);
        }
        else
        {
            info.Environment[name] = value;
        }
    }
}
