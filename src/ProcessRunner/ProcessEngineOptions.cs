using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Describes a <see cref="ProcessEngine"/>. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record ProcessEngineOptions
{
    private readonly int _reactorCount = Math.Min(System.Environment.ProcessorCount, 4);

    private readonly ValueList<Secret> _secrets = ValueList<Secret>.Empty;
    private readonly long _captureBudget = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4;
    private readonly EngineBackend _backend = EngineBackend.Auto;

    /// <summary>Gets how the engine starts and watches its children.</summary>
    /// <value>
    /// <see cref="EngineBackend.Auto"/> by default. <see cref="EngineBackend.Native"/> makes the first start throw
    /// <see cref="PlatformNotSupportedException"/> where there is no native backend.
    /// <see cref="ProcessEngine.Backend"/> returns the choice.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">There is no such backend.</exception>
    public EngineBackend Backend
    {
        get => _backend;
        init => _backend = System.Enum.IsDefined(value) && value != EngineBackend.Simulated
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "There is no such backend.");
    }

    /// <summary>Gets the number of I/O threads. It does not depend on the number of children.</summary>
    /// <value>
    /// The number of processors, 4 at most, by default; 1 to 64. The portable backend does not use it.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside that range.</exception>
    public int ReactorCount
    {
        get => _reactorCount;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 64);
            _reactorCount = value;
        }
    }

    /// <summary>
    /// Gets how many bytes of captured output may be in memory, for all children together and including the results
    /// that the program still holds. Beyond the budget, captures go to temporary files, which vanish with their
    /// results. Captures that keep only a head or a tail count towards the budget but stay in memory, because they have
    /// a limit of their own.
    /// </summary>
    /// <value>In bytes; a quarter of the memory that is available to this process by default; 0 or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public long CaptureBudget
    {
        get => _captureBudget;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _captureBudget = value;
        }
    }

    /// <summary>
    /// Gets whether the children and their descendants are killed when this process ends (by a return from Main, an
    /// unhandled exception, or a signal including SIGKILL), or when the engine is disposed.
    /// </summary>
    /// <value>
    /// False by default; see <see cref="KillChildrenOnSignal"/> for what happens then. On Linux true starts one small
    /// guardian, a POSIX shell that sleeps until the end of a pipe that only this process holds. Then it kills the
    /// children, including those that are being started, and the groups that they lead, and every other process that
    /// carries the engine's mark in its environment. See <see cref="DescendantPolicy"/> for processes that it cannot
    /// find. Each start takes some 25 µs longer. Without <c>/bin/sh</c> each start throws a
    /// <see cref="ProcessStartException"/>. Detached children continue. If /proc is missing, or belongs to another PID
    /// namespace, nothing is killed. On Windows the system itself kills the children, by their job objects. The
    /// portable backend kills them only if this process ends by itself, not after a crash or a kill.
    /// </value>
    public bool KillChildrenOnExit { get; init; }

    /// <summary>
    /// Gets whether the live children and their descendants are killed when a signal ends this process: SIGINT
    /// (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM or SIGHUP (the terminal is closed). Children in groups and sessions of their
    /// own do not receive the signals of the terminal.
    /// </summary>
    /// <value>
    /// <para>True by default. A program that handles the signal and cancels its effect
    /// (<see cref="Console.CancelKeyPress"/>, <see cref="System.Runtime.InteropServices.PosixSignalRegistration"/>)
    /// continues with its children: what its handlers see and decide does not change. Without a live child nothing is
    /// done. A return from Main, <see cref="System.Environment.Exit"/> (also in a handler), SIGKILL and a crash do not
    /// count as such an end: the children continue, unless <see cref="KillChildrenOnExit"/> is true.</para>
    /// <para>On Linux one of these signals starts a small POSIX shell, which kills the children once this process is
    /// gone. If this process continues, the shell is ended. On Windows the job objects of the children do the same.
    /// With the portable backend this option has no effect. The runtime calls handlers of SIGHUP on the ThreadPool; if
    /// the program has none, this option needs no ThreadPool thread. Only with the switch
    /// <c>ProcessRunner.UsePosixSpawn</c>, or on a machine that allows no new executable code, does a SIGHUP wait for a
    /// ThreadPool thread before it ends this process and the children.</para>
    /// <para>Detached children continue. If the system cannot start the shell, as in an image without <c>/bin/sh</c>,
    /// all children continue. See <see cref="DescendantPolicy"/> for descendants that cannot be found.</para>
    /// </value>
    public bool KillChildrenOnSignal { get; init; } = true;

    /// <summary>
    /// Gets whether all children inherit the environment as it was at the start of the engine's first child.
    /// </summary>
    /// <value>
    /// False by default: each start sees all earlier changes by
    /// <see cref="System.Environment.SetEnvironmentVariable(string, string)"/>, but the runtime copies the whole
    /// environment for it, some 200 bytes per variable. True suits programs that start thousands of children and do not
    /// change the environment. A batch always takes the environment once.
    /// </value>
    public bool TakeEnvironmentOnce { get; init; }

    /// <summary>
    /// Gets whether children inherit this process's soft limit of open descriptors unchanged (RLIMIT_NOFILE in
    /// getrlimit(2)), although the .NET runtime raised it to the hard limit when this process started.
    /// </summary>
    /// <value>
    /// <para>For Linux, with the native backend; elsewhere it has no effect.</para>
    /// <para>False by default: children get the soft limit with which this process began, usually 1,024. Many programs
    /// use select(2), which fails beyond that number, or close every number up to the limit. True suits children that
    /// need more and do not raise the limit themselves. Children inherit the hard limit in both cases.</para>
    /// <para>No system call returns the limit with which a process began, so it is taken from the parent of this
    /// process, once, at the first start: the parent's soft limit counts if its hard limit is that of this process and
    /// its soft limit is lower. A different soft limit that a launcher has set for this process alone goes unnoticed.
    /// Children inherit this process's limit if its parent is another .NET program, belongs to another user or has
    /// ended, if the program has changed the limit itself, and if posix_spawn(3) starts the children, because it cannot
    /// set the limit.</para>
    /// </value>
    public bool InheritDescriptorLimit { get; init; }

    /// <summary>Gets whether a Ctrl-C (SIGINT) at this process is forwarded to the children's process groups.</summary>
    /// <value>
    /// False by default: this process ends as usual, and <see cref="KillChildrenOnSignal"/> decides about its children.
    /// With true, while any child lives, the first SIGINT is forwarded and the second one kills each child that has
    /// been sent one before. This process continues in both cases, so that it can report what happened to its
    /// children. Without a live child SIGINT has its usual effect. Children in the group of this process
    /// (<see cref="ProcessGroupMode.Inherit"/>) get no forwarded signal, because the terminal has sent it to them.
    /// </value>
    public bool ForwardInterrupt { get; init; }

    /// <summary>
    /// Gets the callback that receives every command line before its start, in the syntax of a POSIX shell, with the
    /// working directory and the changes to the environment. If <see cref="EngineBackend.Auto"/> becomes portable
    /// because this Linux or Windows cannot have the native backend, a comment (<c># ...</c>) comes first, which says
    /// why. It is called on the starting thread. If it throws, the start throws the same exception.
    /// </summary>
    /// <value>Null, for no trace, by default.</value>
    public Action<string>? Trace { get; init; }

    /// <summary>
    /// Gets the callback that receives each forgotten child: a child of <see cref="ProcessCommand.Start"/> or
    /// <see cref="ProcessExecutor.Run(IEnumerable{string})"/> that has ended, and whose result no code can reach any
    /// longer, although no call waited for it, read its live lines, detached it or disposed its
    /// <see cref="ChildProcess"/>.
    /// </summary>
    /// <value>
    /// Null by default: then nothing is kept for it. The callback is called once for each such child, after a garbage
    /// collection has found it, on a thread of its own. Its exceptions are ignored.
    /// </value>
    public Action<ForgottenChild>? ForgottenChild { get; init; }

    /// <summary>
    /// Gets whether the stack of each start is kept, so that <see cref="ForgottenChild"/> can report it.
    /// </summary>
    /// <value>False by default. A stack takes far longer than the start of a child.</value>
    public bool KeepStartStacks { get; init; }

    /// <summary>
    /// Gets the texts that the library shows as <c>***</c> wherever they occur in a text about the children of this
    /// engine: in traces, telemetry, exceptions, and the <c>ToString</c> of commands that have run, of results and of
    /// every other type.
    /// </summary>
    /// <value>Empty by default. <see cref="ProcessCommand.Secrets"/> adds those of one command.</value>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    public IReadOnlyCollection<Secret> Secrets
    {
        get => _secrets.Items;
        init => _secrets = new ValueList<Secret>(ProcessCommand.AllSecrets(value));
    }

    /// <summary>Returns the backend, and the settings that are not the default.</summary>
    public override string ToString() => SettingText.Of(
        $"{Backend}",
        $"{ReactorCount} I/O threads",
        $"{CaptureBudget} bytes for captures",
        KillChildrenOnExit ? nameof(KillChildrenOnExit) : null,
        KillChildrenOnSignal ? null : $"no {nameof(KillChildrenOnSignal)}",
        TakeEnvironmentOnce ? nameof(TakeEnvironmentOnce) : null,
        InheritDescriptorLimit ? nameof(InheritDescriptorLimit) : null,
        ForwardInterrupt ? nameof(ForwardInterrupt) : null,
        Trace is null ? null : nameof(Trace),
        ForgottenChild is null ? null : nameof(ForgottenChild),
        KeepStartStacks ? nameof(KeepStartStacks) : null,
        Secrets.Count switch { 0 => null, 1 => "1 secret", int count => $"{count} secrets" });

    internal ImmutableArray<Secret> SecretList => _secrets.Items;
}
