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
    /// <param name="request">The program, as the caller describes it.</param>
    /// <param name="pidfd">
    /// The child's pidfd, which the caller owns; closed if the caller, who leaves a place for it, must open it
    /// (<see cref="PidFd.OpenOrKill(int)"/>).
    /// </param>
    /// <returns>The process id of the child.</returns>
    /// <exception cref="LaunchException">The program has run, but could not be watched.</exception>
    /// <exception cref="Win32Exception">The program could not be started.</exception>
    public int Spawn(scoped in SpawnRequest request, out OwnedDescriptor pidfd)
    {
        IProgram program = request.Program;
        NativeStrings paths = default;
        NativeStrings arguments = default;
        try
        {
            paths.Add(request.File);
            paths.Add(program.WorkingDirectory ?? ".");
            foreach (SpawnStream stream in request.Streams)
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
            bool hasLimit = !request.InheritsLimit
                && request.Settings is not { LimitsDescriptors: true }
                && DescriptorLimit.TryGetForChild(&limit);
            SpawnRequest native = request with
            {
                Path = pathArray[0],
                Arguments = arguments.ToArray(),
                Directory = program.WorkingDirectory is null ? null : pathArray[1],
                DescriptorLimit = hasLimit ? &limit : null,
                Files = pathArray + 2,
            };
            return CloneSpawn.TryRun(in native, out int processId, out pidfd)
                ? processId
                : PosixSpawn.Run(in native, out pidfd);
        }
        finally
        {
            paths.Dispose();
            arguments.Dispose();
        }
    }
}
