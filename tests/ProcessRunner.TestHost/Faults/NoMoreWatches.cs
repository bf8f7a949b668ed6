using System;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that running children continue with their present watches after the user's epoll watches are used up
/// (ENOSPC, /proc/sys/fs/epoll/max_user_watches).
/// </summary>
internal sealed class NoMoreWatches : IScenario
{
    private const int ENOSPC = 28;
    private const int Lines = 50_000;

    private static readonly string s_numbers =
        string.Concat(Enumerable.Range(1, Lines).Select(number => $"{number}\n"));

    // A thread that drains its own child has begun to poll.
    private static readonly ManualResetEventSlim s_polls = new();

    private bool _areUsedUp;
    private int _refusals;

    public string Name => "no-more-watches";

    public void Play(string[] arguments)
    {
        FaultPoint.Decide = call =>
        {
            if (call == "poll")
            {
                s_polls.Set();
            }

            bool isRefused = _areUsedUp && call == "epoll_ctl EPOLL_CTL_ADD";
            _refusals += isRefused ? 1 : 0;
            return isRefused ? ENOSPC : 0;
        };
        ReceiversThatAreBehind();
        InterruptedWait();
        HeldPipes();
        Start();
    }

    // Resuming an existing watch needs no new watch.
    private void ReceiversThatAreBehind()
    {
        long bytes = 0;
        int lines = 0;
        ProcessCommand command = Shell($"read go; seq 1 {Lines}; seq 1 {Lines} >&2") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.ToBytes(part => bytes += part.Length),
            StandardError = OutputTarget.ToLines(_ => Thread.SpinWait(lines++ % 1000)),
        };
        using ChildProcess child = command.Start();
        _areUsedUp = true;
        child.StandardInput.Write("go\n"u8);
        child.WaitAsync().GetAwaiter().GetResult();
        _areUsedUp = false;
        Expect.Equal(s_numbers.Length, bytes, "bytes that were received");
        Expect.Equal(Lines, lines, "lines that were received");
        Expect.Equal(0, _refusals, "watches that were asked for in the middle of a run");
    }

    // The thread has removed the descriptors from the epoll instance and cannot add them again.
    private void InterruptedWait()
    {
        using ChildProcess child =
            (Shell($"read go; seq 1 {Lines}; exit 4") with { StandardInput = InputSource.Pipe }).Start();
        _areUsedUp = true;
        Exception? thrown = null;
        Thread waiter = new(() =>
        {
            try
            {
                child.Wait();
            }
            catch (ThreadInterruptedException exception)
            {
                thrown = exception;
            }
        });
        s_polls.Reset();
        waiter.Start();
        s_polls.Wait();
        waiter.Interrupt();
        waiter.Join();
        Expect.True(thrown is not null, "the wait was interrupted");
        child.StandardInput.Write("go\n"u8);
        ProcessResult result = child.WaitAsync().GetAwaiter().GetResult();
        _areUsedUp = false;
        Expect.Equal(4, result.ExitCode, "exit code");
        Expect.Equal(s_numbers, result.StandardOutput.Text, "output");
        Expect.True(_refusals > 0, "a watch was refused");
        _refusals = 0;
    }

    // The waiting thread returns the descriptors when the child has exited.
    private void HeldPipes()
    {
        // The descendant writes after the end of its input, which comes after the exit has been seen.
        ProcessCommand command = Shell("exec 3<&0; read go; (cat <&3; seq 1 1000) & exit 5") with
        {
            StandardInput = InputSource.Pipe,
            Descendants = DescendantPolicy.Leave,
            DrainGrace = Timeout.InfiniteTimeSpan,
        };
        using ChildProcess child = command.Start();
        _areUsedUp = true;
        s_polls.Reset();
        Thread writer = new(() =>
        {
            s_polls.Wait();
            child.StandardInput.Write("go\n"u8);
        });
        writer.Start();
        ProcessResult result = child.Wait();
        writer.Join();
        _areUsedUp = false;
        Expect.Equal(5, result.ExitCode, "exit code");
        Expect.Equal(1000, result.StandardOutput.Lines().Count, "lines of the descendant");
        Expect.True(_refusals > 0, "a watch was refused");
    }

    // A start without a watch fails like any start that lacks a system resource.
    private void Start()
    {
        _areUsedUp = true;
        ProcessStartException? failure = null;
        try
        {
            Shell("sleep 1000").Start();
        }
        catch (ProcessStartException exception)
        {
            failure = exception;
        }

        _areUsedUp = false;
        Expect.Equal(ProcessStartStep.OutOfResources, failure?.Step, "step of a start without watches");
        Expect.Equal(ENOSPC, failure?.NativeErrorCode, "error of a start without watches");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);
}
