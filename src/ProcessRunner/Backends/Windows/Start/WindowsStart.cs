using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Starts children by CreateProcess. Each inherits its three standard streams and no other handle, and is in its job
/// before its first instruction. Stateless and thread-safe.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe class WindowsStart
{
    private const int StreamCount = 3;

    /// <summary>Starts a child on the calling thread.</summary>
    /// <param name="order">The description of the child.</param>
    /// <param name="job">The job of the child, which stays the caller's and is empty if the start fails.</param>
    /// <exception cref="LaunchException">The child could not be started; nothing of it is left.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory; nothing of the child is left.</exception>
    public static StartedProcess Run(LaunchOrder order, JobObject job)
    {
        string? block = BlockFor(order, channels: null);
        return ProgramSearch.Start(order.Plan.FileName, path => Start(path, order, block, job));
    }

    // Null stands for the environment of this process as it is.
    private static string? BlockFor(LaunchOrder order, ExtraHandles? channels)
    {
        ILaunchPlan plan = order.Plan;
        bool isUnchanged = plan.InheritEnvironment
            && order.Inherited is null
            && plan.Environment.Count == 0
            && order.Slot.Name is null
            && channels is null;
        return isUnchanged
            ? null
            : (order.Inherited ?? WindowsEnvironment.Take()).Compose(plan, order.Slot, channels?.Variables);
    }

    private static StartedProcess Start(string path, LaunchOrder order, string? block, JobObject job)
    {
        ILaunchPlan plan = order.Plan;
        bool isBatchFile = BatchFile.Is(path);
        string application =
            isBatchFile ? Path.Combine(Environment.SystemDirectory, "cmd.exe") : LongPath.Extended(path);
        string line = isBatchFile
            ? BatchCommandLine.Compose(LongPath.Plain(path), plan.Arguments)
            : CommandLine.ForProgram(plan.ArgumentZero ?? plan.FileName, plan.Arguments);
        string? directory = plan.WorkingDirectory;
        if (isBatchFile)
        {
            directory = DirectoryForBatchFile(directory ?? Environment.CurrentDirectory);
        }

        StandardHandles handles = default;
        StartedProcess started;
        int error;
        try
        {
            handles.Open(plan);
            handles.MakeInheritable();
            if (handles.Extra is { Count: > 0 } channels)
            {
                block = BlockFor(order, channels);
            }

            error = Create(application, line, order, directory, block, job, in handles, out started);
            if (error == 0)
            {
                handles.TakeOurs(ref started);
            }
        }
        catch (Win32Exception exception) when (exception is not LaunchException)
        {
            throw StartError.ExplainStep(exception);
        }
        finally
        {
            handles.Close();
        }

        return error == 0 ? started : throw Failure(plan, error);
    }

    // From a directory of a server, or with a prefix, cmd.exe would go to another directory, and run the file there.
    private static string DirectoryForBatchFile(string directory)
    {
        if (LongPath.IsOfServer(Path.GetFullPath(directory)))
        {
            throw new LaunchException(
                Win32Error.ERROR_DIRECTORY, LaunchStep.BadDirectory,
                "cmd.exe, which runs batch files, cannot work in a directory of a server (a UNC path)");
        }

        return LongPath.Plain(directory);
    }

    // The search passes over some errors of a program, but none of the directory.
    private static Win32Exception Failure(ILaunchPlan plan, int error) =>
        plan.WorkingDirectory is string directory && !StartError.IsShortage(error) && !Directory.Exists(directory)
            ? new LaunchException(error, LaunchStep.BadDirectory, LaunchReason.NoDirectory)
            : new Win32Exception(error);

    // Returns the error number of CreateProcess. Everything else that fails is not the program's fault.
    private static int Create(
        string application,
        string line,
        LaunchOrder order,
        string? directory,
        string? block,
        JobObject job,
        scoped in StandardHandles handles,
        out StartedProcess started)
    {
        nint* inherited = stackalloc nint[StreamCount + (handles.Extra?.Count ?? 0)];
        int count = ListHandles(in handles, inherited);
        nint jobHandle = job.Handle;
        using AttributeList attributes = AttributeList.Create(inherited, count, &jobHandle);
        Kernel32.STARTUPINFOEXW startup = StartupFor(in handles, attributes.Pointer);
        uint flags = FlagsFor(order, attributes.HasJob);
        Kernel32.PROCESS_INFORMATION process;

        // CreateProcess may change the line while it runs.
        fixed (char* changeable = (line + '\0').ToCharArray())
        fixed (char* file = application, environment = block, place = directory)
        {
            if (!Kernel32.CreateProcess(file, changeable, flags, environment, place, &startup, &process))
            {
                started = default;
                return Marshal.GetLastPInvokeError();
            }
        }

        started = new StartedProcess
        {
            ProcessId = (int)process.dwProcessId,
            LeadsGroup = order.ConsoleChoice.LeadsGroup,
            HasOwnConsole = order.ConsoleChoice.HasOwnConsole,
            Process = OwnedHandle.From(process.hProcess, "CreateProcessW"),
        };
        OwnedHandle thread = OwnedHandle.From(process.hThread, "CreateProcessW");
        try
        {
            if (!attributes.HasJob)
            {
                JoinAndResume(ref started, thread.Value, job);
            }
        }
        finally
        {
            thread.Close();
        }

        return 0;
    }

    // Returns the number of handles, each of which may be listed once.
    private static int ListHandles(scoped in StandardHandles handles, nint* inherited)
    {
        int count = 0;
        inherited[count++] = handles.Input;
        inherited[count++] = handles.Output;
        if (handles.Error != handles.Output)
        {
            inherited[count++] = handles.Error;
        }

        for (int i = 0; i < (handles.Extra?.Count ?? 0); i++)
        {
            inherited[count++] = handles.Extra!.At(i);
        }

        return count;
    }

    private static Kernel32.STARTUPINFOEXW StartupFor(scoped in StandardHandles handles, void* attributes) => new()
    {
        cb = (uint)sizeof(Kernel32.STARTUPINFOEXW),
        dwFlags = Kernel32.STARTF_USESTDHANDLES,
        hStdInput = handles.Input,
        hStdOutput = handles.Output,
        hStdError = handles.Error,
        lpAttributeList = attributes,
    };

    private static uint FlagsFor(LaunchOrder order, bool hasJob) =>
        Kernel32.EXTENDED_STARTUPINFO_PRESENT
        | Kernel32.CREATE_UNICODE_ENVIRONMENT
        | order.ConsoleChoice.Flags
        | (uint)(order.Plan.Settings?.PriorityClass ?? 0)
        | (hasJob ? 0 : Kernel32.CREATE_SUSPENDED);

    // Takes the place of the attribute where the system does not know it.
    private static void JoinAndResume(ref StartedProcess started, nint thread, JobObject job)
    {
        string call = "AssignProcessToJobObject";
        if (Kernel32.AssignProcessToJobObject(job.Handle, started.Process.Value))
        {
            call = "ResumeThread";
            if (Kernel32.ResumeThread(thread) >= 0)
            {
                return;
            }
        }

        int error = Marshal.GetLastPInvokeError();
        _ = Kernel32.TerminateProcess(started.Process.Value, uint.MaxValue);
        started.Process.Close();
        throw SystemError.Of(call, error);
    }
}
