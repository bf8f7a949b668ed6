using System;
using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <content>The settings of a stop.</content>
public sealed partial record ProcessCommand
{
    private readonly PosixSignal _stopSignal = PosixSignal.SIGTERM;
    private readonly TimeSpan _stopGrace = TimeSpan.FromSeconds(2);

    /// <summary>Gets the signal that a stop sends first.</summary>
    /// <value>
    /// SIGTERM by default. A raw number may be cast. SIGCONT follows it, for suspended children. On Windows every
    /// signal but SIGKILL is a CTRL_BREAK to the child's group; <see cref="CloseWindowsOnStop"/> is for programs with
    /// windows.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public PosixSignal StopSignal
    {
        get => _stopSignal;
        init => _stopSignal = SignalArgument.Validated(value, nameof(value));
    }

    /// <summary>
    /// Gets the time between the stop signal and SIGKILL, or the first of <see cref="FurtherStops"/>.
    /// </summary>
    /// <value>
    /// 2 seconds by default; zero or more. Zero kills at once; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>
    /// never kills.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan StopGrace
    {
        get => _stopGrace;
        init => _stopGrace = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>
    /// Gets the signals that a stop sends between <see cref="StopSignal"/> and SIGKILL, each with its grace, to a child
    /// that still lives. A stop with a grace of its own (<see cref="ChildProcess.Stop"/>) takes the steps that come
    /// before its end.
    /// </summary>
    /// <value>
    /// Empty by default. <see cref="StopSignal"/> SIGINT with a <see cref="StopGrace"/> of 2 seconds, and one further
    /// stop by SIGTERM with 5 seconds, take 7 seconds until SIGKILL.
    /// </value>
    /// <exception cref="ArgumentException">The value is the default.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An item is the default: there is no such signal.</exception>
    public ImmutableArray<StopStep> FurtherStops
    {
        get => Extras.FurtherStops.Items;
        init
        {
            if (value.IsDefault)
            {
                throw new ArgumentException("The steps are missing; use an empty list.", nameof(value));
            }

            foreach (StopStep step in value)
            {
                SignalArgument.Validated(step.Signal, nameof(value));
            }

            Extras = Extras with { FurtherStops = new ValueList<StopStep>(value) };
        }
    }

    /// <summary>
    /// Gets whether a stop closes the windows of the child and of its descendants instead of sending
    /// <see cref="StopSignal"/>. Each top-level window, also a hidden one, gets a WM_CLOSE, as by a click on its close
    /// button.
    /// </summary>
    /// <value>
    /// False by default. Nothing waits for a window that does not respond, and a program can ask its user first: after
    /// <see cref="StopGrace"/> the stop goes on, with <see cref="FurtherStops"/> or a kill. The same happens if there
    /// is no window. Windows alone has such messages. The portable backend refuses it.
    /// </value>
    [SupportedOSPlatform("windows")]
    public bool CloseWindowsOnStop
    {
        get => Extras.ClosesWindowsOnStop;
        init => Extras = Extras with { ClosesWindowsOnStop = value };
    }

    /// <summary>
    /// Gets the call that is made before a stop begins, for example to take a dump of a child that hangs. The stop
    /// begins once the call has returned, or at <see cref="BeforeStopLimit"/>.
    /// </summary>
    /// <value>
    /// Null by default. A delivery thread calls it, once in a run, in the
    /// <see cref="System.Threading.ExecutionContext"/> of the caller that runs the command. It may block, and must not
    /// be an <c>async</c> lambda: that returns at its first <c>await</c>, the stop begins, and an exception after the
    /// <c>await</c> ends this process. Block on the task instead. Callbacks of the output can run meanwhile. If it
    /// throws, the stop goes on, and the wait for the run throws the same exception. A child that ends by itself
    /// meanwhile is released after the call or the limit.
    /// </value>
    /// <remarks>
    /// No call is made for a child whose start is under way or that has exited, and for a lack of memory. A kill that
    /// the program asks for makes no call either, and does not wait for one under way:
    /// <see cref="ChildProcess.Kill"/>, the disposal of the engine, a second Ctrl-C, and a stop or a disposal of the
    /// child without a grace. A limit or a token makes the call even if there is no grace.
    /// </remarks>
    public Action<StopNotice>? BeforeStop
    {
        get => Extras.BeforeStop;
        init => Extras = Extras with { BeforeStop = value };
    }

    /// <summary>Gets how long <see cref="BeforeStop"/> may delay a stop.</summary>
    /// <value>
    /// 10 seconds by default; zero or more. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> waits without a
    /// limit. A call that takes longer goes on while the stop begins.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan BeforeStopLimit
    {
        get => Extras.BeforeStopLimit;
        init => Extras = Extras with { BeforeStopLimit = TimeLimit.Validated(value, nameof(value)) };
    }

    /// <summary>Gets the time from the first signal of a stop to SIGKILL.</summary>
    internal TimeSpan WholeStopGrace
    {
        get
        {
            TimeSpan whole = StopGrace;
            foreach (StopStep step in FurtherStops)
            {
                bool isEndless = whole < TimeSpan.Zero || step.Grace < TimeSpan.Zero
                    || whole > TimeSpan.MaxValue - step.Grace;
                whole = isEndless ? System.Threading.Timeout.InfiniteTimeSpan : whole + step.Grace;
            }

            return whole;
        }
    }
}
