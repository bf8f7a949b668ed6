namespace ProcessRunner;

/// <summary>Specifies how an engine starts and watches its children.</summary>
public enum EngineBackend
{
    /// <summary>
    /// <see cref="Native"/> on Linux and Windows if the system has what it needs, otherwise <see cref="Portable"/>.
    /// </summary>
    Auto,

    /// <summary>
    /// The system calls of this system, with a number of threads that does not depend on the number of children: Linux
    /// 5.4 or later, or Windows 10 or later, on x64 or arm64.
    /// </summary>
    Native,

    /// <summary>
    /// <see cref="System.Diagnostics.Process"/> for the start, and threads of this library that block: one for each
    /// pipe and one for the exit of each child. Runs wherever .NET can start a process, for example on macOS. It uses
    /// no ThreadPool thread either.
    /// </summary>
    /// <remarks>
    /// <para>This backend has limits that .NET sets. A child that a signal has ended has the exit code 128 plus the
    /// number of the signal, unless it was the signal of a stop or of a limit. Processor times are known on Windows
    /// only. Descendants are not found after the exit of the child; a kill ends those that are its descendants at that
    /// moment. A file or the next stage of a pipeline gets its bytes through this process. If another process holds a
    /// pipe open after the end of the run, the thread that reads the pipe stays until that process closes it.</para>
    /// <para>The groups <see cref="ProcessGroupMode.Own"/> and <see cref="ProcessGroupMode.Session"/>, and the policies
    /// <see cref="DescendantPolicy.Report"/> and <see cref="DescendantPolicy.KillAlways"/>, are refused. On Windows a
    /// stop is a kill, because Windows has no request that every program understands.</para>
    /// </remarks>
    Portable,

    /// <summary>
    /// No children at all: the engine of <see cref="ProcessEngine.Simulate"/>. No option can ask for it.
    /// </summary>
    Simulated,
}
