using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Starts programs by clone with CLONE_VM and CLONE_VFORK, so that the cost does not grow with the caller's memory. Every child
/// gets a clean slate: descriptors 0, 1 and 2 only, all signals at their default and none blocked (.NET ignores SIGPIPE, and an
/// ignored signal survives exec). One for the whole process and immutable, so that any thread may spawn while any engine is
/// disposed.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Spawner
{
    private static readonly Lock s_gate = new();
    private static Spawner? s_shared;

    private readonly OwnedDescriptor _nullDevice;

    private Spawner() =>
        _nullDevice = OwnedDescriptor.From(LibC.Open("/dev/null", LibC.O_RDWR | LibC.O_CLOEXEC, 0), "open /dev/null");

    /// <summary>The one of this process; it holds one descriptor, for good.</summary>
    /// <exception cref="Win32Exception">The null device cannot be opened now.</exception>
    public static Spawner Shared
    {
        get
        {
            lock (s_gate)
            {
                return s_shared ??= new Spawner();
            }
        }
    }

    /// <summary>The descriptor of the null device, for a standard stream that nobody uses.</summary>
    public int NullDevice => _nullDevice.Number;

    /// <summary>Starts a program with the descriptors that are to be its standard streams.</summary>
    /// <param name="command">What to run, and where.</param>
    /// <param name="group">Which group it belongs to; not Auto.</param>
    /// <param name="program">The file that its name stands for.</param>
    /// <param name="environment">Its whole environment.</param>
    /// <param name="inheritsLimit">Whether it gets our limit of descriptors, though the runtime has raised it.</param>
    /// <param name="streams">What becomes the descriptors 0, 1 and 2.</param>
    /// <param name="kept">What the child keeps open until its exec; -1 for nothing.</param>
    /// <param name="progress">Is told how far the start has come, or null.</param>
    /// <param name="pidfd">The child's; closed if the caller has to open it (<see cref="PidFd.OpenOrKill(int, ref OwnedDescriptor)"/>).</param>
    /// <returns>The process id of the child.</returns>
    /// <exception cref="Win32Exception">It could not be started.</exception>
    public int Spawn(
        ProcessCommand command,
        ProcessGroupMode group,
        string program,
        byte** environment,
        bool inheritsLimit,
        ReadOnlySpan<SpawnStream> streams,
        int kept,
        IStartProgress? progress,
        out OwnedDescriptor pidfd)
    {
        NativeStrings paths = default;
        NativeStrings arguments = default;
        try
        {
            paths.Add(program);
            paths.Add(command.WorkingDirectory ?? ".");
            foreach (SpawnStream stream in streams)
            {
                paths.Add(stream.Path ?? "");
            }

            byte** pathArray = paths.ToArray();
            arguments.Add(command.FileName);
            foreach (string argument in command.Arguments)
            {
                arguments.Add(argument);
            }

            LibC.ResourceLimit limit;
            bool hasLimit = !inheritsLimit && DescriptorLimit.TryGetForChild(&limit);
            SpawnRequest request = new()
            {
                Path = pathArray[0],
                Arguments = arguments.ToArray(),
                Environment = environment,
                Directory = command.WorkingDirectory is null ? null : pathArray[1],
                DescriptorLimit = hasLimit ? &limit : null,
                GroupMode = group,
                Progress = progress,
                Kept = kept,
                Streams = streams,
                Files = pathArray + 2,
            };
            return CloneSpawn.TryRun(in request, out int processId, out pidfd) ? processId : PosixSpawn.Run(in request);
        }
        finally
        {
            paths.Dispose();
            arguments.Dispose();
        }
    }
}
