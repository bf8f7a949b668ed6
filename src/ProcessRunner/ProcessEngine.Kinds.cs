using System;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Simulation;

namespace ProcessRunner;

/// <content>The shared engine and simulated engines.</content>
public sealed partial class ProcessEngine
{
    /// <summary>
    /// Sets the options of <see cref="Shared"/>: once, and before its first child, for example at the beginning of
    /// <c>Main</c>.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentNullException">The options are null.</exception>
    /// <exception cref="InvalidOperationException">
    /// The shared engine has been configured before, or is already in use; the message has its first command.
    /// </exception>
    /// <remarks>
    /// A library should not call this, because its callers could no longer do so: it takes an engine from them.
    /// </remarks>
    public static void ConfigureShared(ProcessEngineOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Shared.Configure(options);
    }

    /// <summary>
    /// Creates an engine that starts no children: code of the caller answers every command. Everything else is as with
    /// real children, so that tests of a class that runs commands need none of the programs: pipes that fill up, live
    /// lines, callbacks, time limits, stops, retries, batches and pipelines.
    /// </summary>
    /// <param name="answer">
    /// Decides what the child of a command does. Called once for each run, in the context of the caller and before the
    /// start returns; a batch calls it on delivery threads of the engine, several at the same time. The start throws
    /// its exceptions.
    /// </param>
    /// <param name="options">The options; the defaults if null. Those that kill children at the end do nothing.</param>
    /// <remarks>
    /// A child takes a thread. Time is real. A stream that is inherited is empty, or goes nowhere; a file is read and
    /// written. A child has no descendants. Settings of the start, such as <see cref="ProcessCommand.Nice"/>, have no
    /// effect; channels and handles are refused.
    /// </remarks>
    /// <exception cref="ArgumentNullException">The function is null.</exception>
    public static ProcessEngine Simulate(
        Func<ProcessCommand, SimulatedRun> answer, ProcessEngineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(answer);
        ProcessEngineOptions chosen = (options ?? new ProcessEngineOptions()) with
        {
            KillChildrenOnSignal = false,
            KillChildrenOnExit = false,
        };
        return new ProcessEngine(chosen, isShared: false, new Simulator(answer));
    }

    private void Configure(ProcessEngineOptions options)
    {
        lock (_gate)
        {
            if (_isConfigured || _parts is not null)
            {
                string reason = _isConfigured ? "it has been configured before" : $"{_firstUse} has used it already";
                throw new InvalidOperationException(
                    $"The shared engine cannot be configured: {reason}. Call ProcessEngine.ConfigureShared once, "
                    + "before the first child, for example at the beginning of Main; or give your commands an engine "
                    + "of their own.");
            }

            _isConfigured = true;
            _options = options;
            _interrupts = options.ForwardInterrupt ? new InterruptForwarder() : null;
        }
    }
}
