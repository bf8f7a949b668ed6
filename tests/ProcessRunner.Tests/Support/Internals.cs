using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Execution;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Tests.Support;

/// <summary>Accesses the parts behind the public classes, for tests that hold one of them still.</summary>
internal static class Internals
{
    /// <summary>Gets a child as its backend holds it. This object is also its gate.</summary>
    public static BackendChild ChildOf(ChildProcess child) => Field<ChildLife>(child, "_life").Child;

    /// <summary>Gets whether the job of a child of the Windows backend kills its members when it is closed.</summary>
    public static bool KillsOnClose(ChildProcess child) =>
        Field<bool>(Field<JobObject>(ChildOf(child), "_job"), "_killsOnClose");

    /// <summary>Gets the streams of a child's run, which the child's gate guards.</summary>
    public static RunStreams StreamsOf(ChildProcess child) =>
        Field<RunStreams>(Field<ChildLife>(child, "_life"), "_streams");

    /// <summary>Gets how many readers wait for a live line of a child.</summary>
    public static int WaitingReadersOf(ChildProcess child) =>
        Field<LinkedList<LineWaiter>>(Field<ChildLife>(child, "_life").Lines!, "_waiters").Count;

    /// <summary>Gets the parts of an engine that has started a child.</summary>
    public static EngineParts PartsOf(ProcessEngine engine) => Field<EngineParts>(engine, "_parts");

    /// <summary>Gets the object that handles the descendants of an engine that has started a child.</summary>
    public static LinuxFamily FamilyOf(ProcessEngine engine) =>
        Field<LinuxFamily>(PartsOf(engine).Backend, "_family");

    /// <summary>Gets the lock of such an object.</summary>
    public static object GateOf(LinuxFamily family) => Field<object>(family, "_gate");

    /// <summary>Gets the reactors of an engine that has started a child.</summary>
    public static Reactor[] ReactorsOf(ProcessEngine engine) =>
        Field<Reactor[]>(
            Field<ReactorGroup>(PartsOf(engine).Backend, "_reactors"), "_reactors");

    /// <summary>Gets the thread that watches the starts on a group of reactors, after the first such start.</summary>
    public static Thread WatchdogOf(ReactorGroup group) =>
        Field<Thread>(Field<StartWatchdog>(group, "_watchdog"), "_thread");

    /// <summary>Gets whether that thread looks at the starts, and does not wait for the next one.</summary>
    public static bool IsWatchdogAwake(ReactorGroup group) =>
        Field<bool>(Field<StartWatchdog>(group, "_watchdog"), "_isAwake");

    /// <summary>Gets the runs of an engine that have not ended, including runs in their start.</summary>
    public static ChildLife[] LivesOf(ProcessEngine engine) => PartsOf(engine).Lives.ToArray();

    /// <summary>Gets the start of a run, which may still be under way.</summary>
    public static ChildStart StartOf(ChildLife life) => Field<ChildStart>(life, "_start");

    private static T Field<T>(object owner, string name) =>
        (T)owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(owner)!;
}
