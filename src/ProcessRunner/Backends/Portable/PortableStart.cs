using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents the start of one child by <see cref="Process"/>. Every stream that is not inherited is a pipe of this
/// process, because <see cref="Process"/> offers nothing else. Immutable.
/// </summary>
internal sealed class PortableStart(ILaunchPlan plan, PortableEnvironment? inherited, SlotVariable slot)
    : IPortableStart
{
    private const int MostLooksForDescendants = 20;

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

    /// <summary>
    /// Blocks until a process has ended, or .NET cannot tell its end. A wait that finds no memory begins again.
    /// </summary>
    public static void AwaitExit(Process process) => MemoryRetry.Do(process, static process =>
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

    /// <summary>
    /// Returns the exit code of a process that has ended, or null if .NET cannot tell it. On Unix, .NET notes the end
    /// before the code: while another thread asks whether the process has ended, the code can be zero.
    /// </summary>
    public static int? ExitCodeOf(Process process)
    {
        try
        {
            return process.ExitCode;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            return null;
        }
    }

    /// <summary>Returns whether the runtime has seen the exit of a process.</summary>
    public static bool HasExited(Process process)
    {
        bool hasExited = false;
        Uninterruptible.Do(process, process => hasExited = process.HasExited);
        return hasExited;
    }

    /// <summary>Kills a child and its descendants.</summary>
    /// <returns>
    /// False if the look for the descendants has failed, which it no longer does a moment later.
    /// </returns>
    public static bool TryKillTree(Process process)
    {
        if (FaultPoint.Fails("Process.Kill"))
        {
            return false;
        }

        try
        {
            Uninterruptible.Do(process, static process => process.Kill(entireProcessTree: true));
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

    /// <summary>Kills a child, and its descendants if a few looks find them.</summary>
    public static void Kill(Process process)
    {
        try
        {
            for (int left = MostLooksForDescendants; left > 0; left--)
            {
                if (TryKillTree(process))
                {
                    return;
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // To kill the child alone takes none.
        }

        _ = TryKillAlone(process);
    }

    /// <summary>Kills a child, and none of its descendants.</summary>
    /// <returns>False if the child has ended.</returns>
    public static bool TryKillAlone(Process process)
    {
        bool isAlive = !HasExited(process);
        try
        {
            Uninterruptible.Do(process, static process => process.Kill());
            return isAlive;
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            return false;
        }
    }

    /// <summary>
    /// Returns the processor time of a process that has ended. .NET keeps it on Windows only, and nowhere the peak of
    /// the memory.
    /// </summary>
    public static ResourceUse UseOf(Process process)
    {
        try
        {
            return OperatingSystem.IsWindows()
                ? new ResourceUse(process.UserProcessorTime, process.PrivilegedProcessorTime, PeakWorkingSet: 0)
                : default;
        }
        catch (Exception exception)
            when (exception is InvalidOperationException or Win32Exception or OutOfMemoryException)
        {
            return default;
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
