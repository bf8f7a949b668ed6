using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>
/// Reports one run to the listeners: once its child runs, and once it has ended. It exists only if there are listeners
/// when the run is created, or if the instruments have yet to be published: the first report does that.
/// </summary>
/// <remarks>
/// Events are noted with the gate of the child held. A delivery thread reports them, one at a time, in the
/// context of the caller, so that the activity of a run has the caller's activity as its parent. A listener that throws
/// is ignored: no run depends on it.
/// </remarks>
internal sealed class RunTelemetry : IEndWaiter
{
    private readonly ChildLife _life;
    private readonly DeliveryJob _tellStart;
    private readonly DeliveryJob _tellEnd;
    private long _startedAt;
    private long _endedAt;
    private bool _isStartTold;

    private RunTelemetry(ChildLife life)
    {
        ExecutionContext? context = ((IStreamOwner)life).Context;
        _life = life;
        _tellStart = new DeliveryJob(() => Tell(TellStart), context);
        _tellEnd = new DeliveryJob(TellBoth, context);
    }

    IEndWaiter? IEndWaiter.Next { get; set; }

    private IDeliveryThreads Threads => _life.Engine.Streams.Threads;

    /// <summary>Watches a run that has yet to be started, if there are listeners.</summary>
    public static void Watch(ChildLife life)
    {
        if (Listeners.CanExist)
        {
            WatchIfListenedTo(life);
        }
    }

    // Not inlined: the compilation of the caller must not load what the instruments need.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WatchIfListenedTo(ChildLife life)
    {
        if (Instruments.MayBeListenedTo)
        {
            life.Completion.Add(new RunTelemetry(life));
        }
    }

    void IEndWaiter.OnStarted()
    {
        _startedAt = MonotonicClock.Now;
        Threads.Post(_tellStart);
    }

    void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
    {
        // The attempts of a batch are one start: only the last failure is its end.
        if (startFailure is null || !_life.IsRepeatedAfter(startFailure.SourceException))
        {
            _endedAt = MonotonicClock.Now;
            Threads.Post(_tellEnd);
        }
    }

    // The end is reported after the start, even if its job runs first.
    private void TellBoth()
    {
        Tell(TellStart);
        Tell(TellEnd);
    }

    // The two jobs can run at the same time.
    private void Tell(Action<Instruments> tell)
    {
        try
        {
            Instruments instruments = Instruments.Publish();
            lock (_tellStart)
            {
                tell(instruments);
            }
        }
        catch (Exception)
        {
            // A listener threw it. There is no caller that could handle it.
        }
    }

    private void TellStart(Instruments instruments)
    {
        if (_isStartTold || _startedAt == 0)
        {
            return;
        }

        _isStartTold = true;
        instruments.Started?.Add(1);
        instruments.StartDuration?.Record(Seconds(_life.FirstStartInstant, _startedAt));
        instruments.Events?.ChildStarted(_life.ProcessId, Hide(_life.Command.FileName));
    }

    private void TellEnd(Instruments instruments)
    {
        ProcessResult? result = _life.Completion.Result;
        string outcome = result?.Outcome.ToString() ?? "StartFailed";
        KeyValuePair<string, object?> tag = new("outcome", outcome);
        instruments.Ended?.Add(1, tag);
        if (result is null)
        {
            string reason = Hide(_life.Completion.StartFailure!.SourceException.Message);
            instruments.Events?.StartFailed(Hide(_life.Command.FileName), reason);
            DateTimeOffset now = Surroundings.UtcNow;
            TellActivity(instruments.Source, now - Since(_life.FirstStartInstant), now, outcome, reason);
            return;
        }

        TimeSpan elapsed = Since(_life.StartInstant);
        instruments.RunDuration?.Record(result.RunTime.TotalSeconds, tag);
        instruments.WaitDelay?.Record((elapsed - result.RunTime).TotalSeconds);
        instruments.OutputBytes?.Add(
            result.StandardOutput.TotalBytes
            + result.StandardError.TotalBytes
            + result.Channels.Values.Sum(static channel => channel.TotalBytes));
        instruments.Events?.ChildEnded(result.ProcessId, Hide(_life.Command.FileName), result.Ending);
        DateTimeOffset end = result.StartTime + elapsed;
        TellActivity(instruments.Source, end - Since(_life.FirstStartInstant), end, outcome, result.Ending, result);
    }

    // A child is a client span of OpenTelemetry's conventions for programs (opentelemetry.io, "CLI programs").
    private void TellActivity(
        ActivitySource? source,
        DateTimeOffset start,
        DateTimeOffset end,
        string outcome,
        string ending,
        ProcessResult? result = null)
    {
        string name = Path.GetFileName(Hide(_life.Command.FileName));
        using Activity? activity = source?.StartActivity(ActivityKind.Client, startTime: start, name: name);
        if (activity is null)
        {
            return;
        }

        string? error = result is not null && IsAccepted(result) ? null : outcome;
        activity.SetTag("process.executable.name", name);
        if (Path.IsPathFullyQualified(_life.Command.FileName))
        {
            activity.SetTag("process.executable.path", Hide(_life.Command.FileName));
        }

        string program = ((IProgram)_life.Command).ArgumentZero ?? _life.Command.FileName;
        activity.SetTag("process.command_args", _life.Command.Arguments.Prepend(program).Select(Hide).ToArray());
        activity.SetTag("process.command_line", TraceLine.Of(_life.Command));
        activity.SetTag("process.pid", result?.ProcessId);
        activity.SetTag("process.exit.code", result?.ExitCode);
        activity.SetTag("error.type", error);
        activity.SetStatus(
            error is null ? ActivityStatusCode.Unset : ActivityStatusCode.Error, error is null ? null : ending);
        activity.SetEndTime(end.UtcDateTime);
    }

    // The user's judgement of the exit code may throw, which no caller could handle.
    private static bool IsAccepted(ProcessResult result)
    {
        try
        {
            return result.IsSuccess;
        }
        catch (Exception)
        {
            return false;
        }
    }

    // A run that was given up before its first attempt took no time.
    private TimeSpan Since(long instant) =>
        instant == 0 ? TimeSpan.Zero : MonotonicClock.Between(instant, _endedAt);

    private static double Seconds(long from, long to) => MonotonicClock.Between(from, to).TotalSeconds;

    private string Hide(string text) => _life.Command.Hide(text);
}
