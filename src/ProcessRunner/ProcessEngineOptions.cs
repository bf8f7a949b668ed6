using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner;

/// <summary>Describes a <see cref="ProcessEngine"/>. Immutable.</summary>
public sealed record ProcessEngineOptions
{
    private readonly int _reactorCount = Math.Min(System.Environment.ProcessorCount, 4);

    private readonly IReadOnlyCollection<string> _secrets = [];
    private readonly long _captureBudget = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4;

    /// <summary>Gets the number of I/O threads, which does not depend on how many children live.</summary>
    /// <value>The number of processors, 4 at most, by default; 1 to 64.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is outside that range.</exception>
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
    /// Gets how many bytes of captured output may lie in memory for all children together, results included that the
    /// program still holds. Beyond it captures go to temporary files, which vanish with their results. Those that keep no
    /// more than the head or the tail are counted, but stay in memory: they are limited already.
    /// </summary>
    /// <value>In bytes; a quarter of the memory that this process may use by default; 0 or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
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
    /// Gets whether the children and their descendants are killed when this process ends, in whatever way: by a return
    /// from Main, an unhandled exception, a signal, SIGKILL included, or the end of a disposed engine.
    /// </summary>
    /// <value>
    /// False by default; see <see cref="KillChildrenOnSignal"/> for what happens then. True starts one small guardian, a POSIX shell that sleeps until the end of a pipe that only
    /// this process holds. Then it kills the children, be they in their start, with the groups that they lead, and whatever else
    /// carries the engine's mark in its environment; see <see cref="DescendantPolicy"/> for what cannot be found so. A start costs
    /// some 25 µs more for it. Children that were detached live on. Where /proc is missing, or belongs to another namespace of
    /// processes, nobody is killed.
    /// </value>
    public bool KillChildrenOnExit { get; init; }

    /// <summary>
    /// Gets whether the children that live are killed, with their descendants, when a signal ends this process: SIGINT (Ctrl-C),
    /// SIGQUIT (Ctrl-\), SIGTERM or SIGHUP (the terminal is closed). In groups and sessions of their own they do not get the
    /// terminal's signals.
    /// </summary>
    /// <value>
    /// <para>True by default. A program that handles the signal and cancels its effect (<see cref="Console.CancelKeyPress"/>,
    /// <see cref="System.Runtime.InteropServices.PosixSignalRegistration"/>) goes on, and its children with it: what its
    /// handlers see and decide does not change. Without a live child nothing is done. A return from Main,
    /// <see cref="System.Environment.Exit"/> (in a handler as well), SIGKILL and a crash are no such ends: the children live on
    /// then, unless <see cref="KillChildrenOnExit"/> is true.</para>
    /// <para>When one of these signals comes a small POSIX shell is started; it kills the children once this process is gone, and
    /// is ended if this process goes on. The runtime calls handlers of SIGHUP on the ThreadPool; if the program has none this
    /// option needs no thread of it. Only with the switch <c>ProcessRunner.UsePosixSpawn</c>, or on a machine that allows no new code
    /// to be made executable, does a SIGHUP wait until the ThreadPool has a thread, and ends this process and the children then.</para>
    /// <para>Children that were detached live on; so do all where the system cannot start the shell. See
    /// <see cref="DescendantPolicy"/> for descendants that cannot be found.</para>
    /// </value>
    public bool KillChildrenOnSignal { get; init; } = true;

    /// <summary>Gets whether all children inherit the environment as it was when the engine's first child was started.</summary>
    /// <value>
    /// False by default: each start sees what <see cref="System.Environment.SetEnvironmentVariable(string, string)"/> has
    /// changed until then, at the price of a copy that the runtime makes of the whole environment, some 200 bytes a variable.
    /// True is for programs that start thousands of children and do not change it. A batch always takes it once.
    /// </value>
    public bool TakeEnvironmentOnce { get; init; }

    /// <summary>
    /// Gets whether children inherit this process's soft limit of open descriptors as it is, RLIMIT_NOFILE in getrlimit(2),
    /// although the .NET runtime has raised it to the hard limit when this process started.
    /// </summary>
    /// <value>
    /// <para>False by default: children get the soft limit with which this process began, usually 1,024, since many programs use
    /// select(2), which fails beyond that, or close every number up to the limit. True is for children that need more and do not
    /// raise the limit themselves. The hard limit is inherited in any case.</para>
    /// <para>No system call tells with which limit a process began, so it is taken from its parent, once, at the first start: the
    /// parent's soft limit counts if its hard limit is that of this process and its soft limit is lower. A launcher that has set
    /// another soft limit for this process alone is not noticed. Otherwise children inherit this process's limit: where its parent
    /// is another .NET program, is another user's or has ended, where the program has changed the limit itself, and where
    /// posix_spawn(3) starts the children, which cannot set it.</para>
    /// </value>
    public bool InheritDescriptorLimit { get; init; }

    /// <summary>Gets whether a Ctrl-C (SIGINT) at this process is passed on to the children's groups.</summary>
    /// <value>
    /// False by default: this process ends as usual, and <see cref="KillChildrenOnSignal"/> says what becomes of its children.
    /// True forwards the first one and kills with the second, while any child lives; this process goes on
    /// in both cases, so that it can tell what came of its children. Without a live child SIGINT has its usual effect. It is
    /// not forwarded to children in the group of this process (<see cref="ProcessGroupMode.Inherit"/>): the terminal has sent
    /// it to them.
    /// </value>
    public bool ForwardInterrupt { get; init; }

    /// <summary>
    /// Gets who is told every command line before it is started, as a POSIX shell would take it, with the working directory
    /// and the changes to the environment. Called on the starting thread; what it throws, the start throws.
    /// </summary>
    /// <value>Null, nobody, by default.</value>
    public Action<string>? Trace { get; init; }

    /// <summary>Gets the texts that <see cref="Trace"/> is told as <c>***</c> wherever they stand.</summary>
    /// <value>None by default.</value>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    /// <exception cref="ArgumentException">One of them is empty.</exception>
    public IReadOnlyCollection<string> Secrets
    {
        get => _secrets;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            foreach (string secret in value)
            {
                ArgumentException.ThrowIfNullOrEmpty(secret, nameof(value));
            }

            _secrets = [.. value.OrderByDescending(secret => secret.Length)];
        }
    }
}
