using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Linux;

namespace ProcessRunner.Backends;

/// <summary>
/// What an operating system must provide, and the only place that asks which one this is. A backend keeps a child's
/// deadline on threads of its own (<see cref="BackendChild.Watch"/>), starts it on the calling thread
/// (<see cref="BackendChild.Start"/>), drains its pipes and sees its exit on those threads, signals it, finds its
/// descendants, and lets go of all that it held (<see cref="BackendChild.Release"/>). It decides nothing: when to stop, how long to drain and what came of
/// it is said by the <see cref="IChildEvents"/> that it reports to.
/// </summary>
internal abstract class ProcessBackend : IDisposable
{
    /// <summary>The number of threads that run now: the reactors, and what else has been needed so far.</summary>
    public abstract int ThreadCount { get; }

    /// <summary>The number of children that are watched now.</summary>
    public abstract int LiveChildren { get; }

    /// <summary>Makes the backend of this operating system.</summary>
    /// <param name="options">What the engine was asked for.</param>
    /// <param name="first">What is to be started first, and is not if the backend cannot be made.</param>
    /// <exception cref="ProcessStartException">The system is short of something.</exception>
    /// <exception cref="PlatformNotSupportedException">There is none for this system, or the kernel is too old.</exception>
    public static ProcessBackend Create(ProcessEngineOptions options, ProcessCommand first)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new PlatformNotSupportedException("ProcessRunner needs Linux 5.4 or later on x64 or arm64.");
        }

        return LinuxBackend.Open(options, first);
    }

    /// <summary>How many bytes of memory can be had without swapping.</summary>
    public abstract long AvailableMemory { get; }

    /// <summary>
    /// Makes a child that is to be started. One that a reactor's thread makes is served by that reactor, unless another has
    /// clearly less to do.
    /// </summary>
    /// <param name="command">The program to run.</param>
    /// <param name="inherited">The environment to inherit, if the command does; the one of the start's moment if null.</param>
    /// <param name="slot">What the child is told of its batch.</param>
    public abstract BackendChild Create(ProcessCommand command, InheritedEnvironment? inherited = null, SlotVariable slot = default);

    /// <summary>Takes the environment of this moment for many starts.</summary>
    public abstract InheritedEnvironment TakeEnvironment();

    /// <summary>Makes a timer on one of the reactors.</summary>
    /// <param name="expired">Called back with the instant; must not block, and calls no user code.</param>
    public abstract BackendTimer CreateTimer(Action<long> expired);

    /// <summary>
    /// Has something done once this reactor's thread has nothing else to do, or a millisecond later at most: what wakes
    /// another thread costs more than most events. At once where this is no reactor's thread.
    /// </summary>
    /// <param name="action">Must not block. One that is asked for again before it has been done is done once.</param>
    public abstract void DoWhenIdle(Action action);

    /// <summary>
    /// How many more children the limits of this process and its user allow now. An estimate: other code has descriptors
    /// and processes, too.
    /// </summary>
    public abstract int EstimateRoom();

    /// <summary>Connects to the jobserver that the environment names.</summary>
    /// <returns>Null if it names none, or one that cannot be reached.</returns>
    public abstract JobTokens? OpenJobserver();

    /// <summary>Makes a pipe between two children that are to be started.</summary>
    /// <param name="writer">The first of them, which is not started if there is no pipe.</param>
    /// <exception cref="ProcessStartException">Out of descriptors.</exception>
    public abstract PipeConnection Connect(ProcessCommand writer);

    /// <summary>Makes a file for bytes that memory is not to hold.</summary>
    /// <exception cref="System.IO.IOException">The directory for temporary files cannot be written.</exception>
    public abstract TemporaryFile CreateTemporaryFile();

    /// <summary>Tells that a program cannot be started for want of a thread or of memory.</summary>
    public abstract ProcessStartException OutOfResources(ProcessCommand command);

    /// <summary>The events of every child that is watched now.</summary>
    public abstract IReadOnlyList<IChildEvents> Watched();

    /// <summary>
    /// Has the children killed, with their descendants, if this process ends before <see cref="EndGuard"/>, in whatever way:
    /// those that live, those that are being started, and those that are started from now on, but not those that are spared.
    /// Does nothing where that is so already. May block for as long as the start of a process takes.
    /// </summary>
    /// <exception cref="ProcessStartException">The system is short of something.</exception>
    public abstract void Guard();

    /// <summary>This process goes on: takes back the last <see cref="Guard"/>.</summary>
    public abstract void EndGuard();

    /// <summary>
    /// Has each SIGHUP noted from now on, on no thread, before the runtime's handler of that signal gets it: the runtime calls
    /// whoever registered for it on the ThreadPool. Does nothing where the runtime has no handler.
    /// </summary>
    public abstract void NoteHangUps();

    /// <summary>Whether a SIGHUP has been noted since the last question.</summary>
    public abstract bool TakeHangUp();

    /// <summary>Ends this process by SIGHUP unless something here handles that signal, or ignores it.</summary>
    public abstract void HangUpUnlessHandled();

    /// <summary>Makes every further <see cref="BackendChild.Watch"/> throw <see cref="ObjectDisposedException"/>.</summary>
    public abstract void CloseForStarts();

    /// <summary>Ends the reactor threads. It was closed for starts, and no child is watched any more.</summary>
    public abstract void Dispose();
}
