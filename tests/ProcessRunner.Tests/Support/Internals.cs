using System.Reflection;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Execution;
using ProcessRunner.Streams;

namespace ProcessRunner.Tests.Support;

/// <summary>The parts behind the public classes, for tests that hold one of them still.</summary>
internal static class Internals
{
    /// <summary>A child as its backend holds it, which is its gate as well.</summary>
    public static BackendChild ChildOf(ChildProcess child) => Field<ChildLife>(child, "_life").Child;

    /// <summary>The streams of its run, as the child's gate guards them.</summary>
    public static RunStreams StreamsOf(ChildProcess child) => Field<RunStreams>(Field<ChildLife>(child, "_life"), "_streams");

    /// <summary>Who sees to the descendants of an engine that has started a child.</summary>
    public static LinuxFamily FamilyOf(ProcessEngine engine) =>
        Field<LinuxFamily>(Field<EngineParts>(engine, "_parts").Backend, "_family");

    /// <summary>The reactors of an engine that has started a child.</summary>
    public static EpollReactor[] ReactorsOf(ProcessEngine engine) =>
        Field<EpollReactor[]>(Field<EngineParts>(engine, "_parts").Backend, "_reactors");

    /// <summary>The runs of an engine that have not ended, those in their start included.</summary>
    public static ChildLife[] LivesOf(ProcessEngine engine) => Field<EngineParts>(engine, "_parts").Lives;

    /// <summary>The start of a run, which is over or is not.</summary>
    public static ChildStart StartOf(ChildLife life) => Field<ChildStart>(life, "_start");

    private static T Field<T>(object owner, string name) =>
        (T)owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(owner)!;
}
