using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the starter of programs. It uses clone with CLONE_VM and CLONE_VFORK, so that the cost does not grow with
/// the caller's memory. Every child starts with the descriptors 0, 1 and 2 and its channels only, with all signals at
/// their default and none blocked (.NET ignores SIGPIPE, and an ignored signal survives exec).
/// </summary>
/// <remarks>
/// The whole process shares one immutable instance, so that any thread may start a program while any engine is
/// disposed. <c>s_gate</c> guards its creation.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Spawner
{
    private static readonly object s_gate = new();
    private static Spawner? s_shared;

    private readonly OwnedDescriptor _nullDevice;

    private Spawner() =>
        _nullDevice = OwnedDescriptor.From(LibC.Open("/dev/null", LibC.O_RDWR | LibC.O_CLOEXEC, 0), "open /dev/null");

    /// <summary>Gets the instance of this process. It holds one descriptor for good.</summary>
    /// <exception cref="Win32Exception">The null device cannot be opened now.</exception>
    public static Spawner Shared
    {
        get
        {
            using (Uninterruptible.Lock(s_gate))
            {
                return s_shared ??= new Spawner();
            }
        }
    }

    /// <summary>Gets the descriptor of the null device, for a standard stream that is not used.</summary>
    public int NullDevice => _nullDevice.Number;

    /// <summary>Starts a program with the given standard streams.</summary>
    /// <param name="program">The program to run, its arguments and its directory.</param>
    /// <param name="group">The group that the child belongs to; not <see cref="LaunchGroup.Auto"/>.</param>
    /// <param name="file">The path of the file that the program's name stands for.</param>
    /// <param name="environment">The whole environment of the child.</param>
    /// <param name="inheritsLimit">
    /// Whether the child inherits this process's limit of descriptors, although the runtime has raised it.
    /// </param>
    /// <param name="streams">The sources of the descriptors 0, 1 and 2.</param>
    /// <param name="channels">The sources of the channels.</param>
    /// <param name="settings">The settings that few children have, or null.</param>
    /// <param name="kept">The descriptor that the child keeps open until its exec; -1 for none.</param>
    /// <param name="leavesPlace">
    /// Whether the caller closes descriptors of the child before it uses the pidfd, so that one is free for it.
    /// </param>
    /// <param name="progress">The receiver of the start's progress, or null.</param>
    /// <param name="pidfd">
    /// The child's pidfd, which the caller owns; closed if the caller, who leaves a place for it, must open it
    /// (<see cref="PidFd.OpenOrKill(int)"/>).
    /// </param>
    /// <returns>The process id of the child.</returns>
    /// <exception cref="LaunchException">The program has run, but could not be watched.</exception>
    /// <exception cref="Win32Exception">The program could not be started.</exception>
    public int Spawn(
        IProgram program,
        LaunchGroup group,
        string file,
        byte** environment,
        bool inheritsLimit,
        ReadOnlySpan<SpawnStream> streams,
        ReadOnlySpan<SpawnChannel> channels,
        SpawnSettings? settings,
        int kept,
        bool leavesPlace,
        IStartProgress? progress,
        out OwnedDescriptor pidfd)
    {
        NativeStrings paths = default;
        NativeStrings arguments = default;
        try
        {
            paths.Add(file);
            paths.Add(program.WorkingDirectory ?? ".");
            foreach (SpawnStream stream in streams)
            {
                paths.Add(stream.Path ?? "");
            }

            byte** pathArray = paths.ToArray();
            arguments.Add(program.ArgumentZero ?? program.FileName);
            foreach (string argument in program.Arguments)
            {
                arguments.Add(argument);
            }

            LibC.LimitPair limit;
            bool hasLimit = !inheritsLimit
                && settings is not { LimitsDescriptors: true }
                && DescriptorLimit.TryGetForChild(&limit);
            SpawnRequest request = new()
            {
                Path = pathArray[0],
                Arguments = arguments.ToArray(),
                Environment = environment,
                Directory = program.WorkingDirectory is null ? null : pathArray[1],
                DescriptorLimit = hasLimit ? &limit : null,
                Group = group,
                Settings = settings,
                Progress = progress,
                Kept = kept,
                LeavesPlace = leavesPlace,
                Streams = streams,
                Channels = channels,
                Files = pathArray + 2,
            };
            return CloneSpawn.TryRun(in request, out int processId, out pidfd)
                ? processId
                : PosixSpawn.Run(in request, out pidfd);
        }
        finally
        {
            paths.Dispose();
            arguments.Dispose();
        }
    }
}
