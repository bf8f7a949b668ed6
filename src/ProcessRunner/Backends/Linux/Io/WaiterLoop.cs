using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Provides a wait in which the waiting thread serves its child instead of the reactor, so that no other thread is
/// woken for the child's output and its end. From the child's exit on, the reactor serves what is left.
/// </summary>
/// <remarks>
/// <para>The waiting thread alone reads and closes the descriptors that it has taken over until the exit, so that none
/// of the descriptors that it polls without the child's gate can become a stranger's. Deadlines and the input stay with
/// the reactor: no consequence of theirs closes one of these descriptors before the exit.</para>
/// <para><see cref="Thread.Interrupt"/> does not end a poll. The thread looks for an interrupt before the first poll
/// and then once a second. It does not look after each poll, because the look runs through cold code of the runtime,
/// which adds 16 µs between a child's last act and the answer to it. An interrupt may be pending meanwhile: an event
/// that blocks under the gate does so by way of <see cref="Uninterruptible"/>. An interrupted thread hands the child
/// back to the reactor.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class WaiterLoop
{
    private const int Exit = (int)EventPart.Exit;
    private const int Descriptors = Exit + 1;

    // A child that is about to end closes its pipes one after the other and then ends. Polling the exit alone for this
    // long replaces three wakeups by one.
    private const int EndingMilliseconds = 1;
    private const int InterruptMilliseconds = 1000;

    private static readonly ManualResetEvent s_open = new(initialState: true);

    /// <summary>Returns once the child has exited, or at once if another thread serves it.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted.</exception>
    public static void UntilExit(LinuxChild child)
    {
        LibC.PollDescriptor* polled = stackalloc LibC.PollDescriptor[Descriptors];
        int open = child.TakeOver(polled);
        if (open == 0)
        {
            return;
        }

        try
        {
            Serve(child, polled, open);
        }
        catch (Exception exception) when (exception is not ThreadInterruptedException)
        {
            Environment.FailFast("ProcessRunner: a thread that serves its child met a broken invariant.", exception);
        }
        finally
        {
            Uninterruptible.Do(child, static child => child.HandBack());
        }
    }

    private static void Serve(LinuxChild child, LibC.PollDescriptor* polled, int open)
    {
        bool isEnding = false;
        long lookAt = 0;
        while (open > 0)
        {
            lookAt = LookForInterrupt(lookAt);
            int first = isEnding ? Exit : 0;
            int patience = isEnding ? EndingMilliseconds : InterruptMilliseconds;
            int ready = Poll(polled + first, Descriptors - first, patience);
            for (int i = first; i < Descriptors && ready > 0; i++)
            {
                if (polled[i].fd >= 0 && polled[i].revents != 0)
                {
                    child.OnReady((EventPart)i, DescriptorWatcher.Waiter);
                }
            }

            int before = open;
            open = child.TakenOver(polled);
            isEnding = open < before;
        }
    }

    // Looks for an interrupt by a wait that does not block, and returns the instant of the next look.
    private static long LookForInterrupt(long lookAt)
    {
        long now = MonotonicClock.Now;
        if (now < lookAt)
        {
            return lookAt;
        }

        s_open.WaitOne();
        return MonotonicClock.After(now, TimeSpan.FromMilliseconds(InterruptMilliseconds));
    }

    private static int Poll(LibC.PollDescriptor* polled, int count, int timeout)
    {
        int ready = LibC.Poll(polled, (nuint)count, timeout);
        if (ready < 0 && Marshal.GetLastPInvokeError() != Errno.EINTR)
        {
            throw SystemError.Of("poll");
        }

        return ready;
    }
}
