using System.Reflection;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Execution;

namespace ProcessRunner.Tests.Support;

/// <summary>The parts behind the public classes, for tests that hold one of them still.</summary>
internal static class Internals
{
    /// <summary>A child as its backend holds it, which is its gate as well.</summary>
    public static BackendChild ChildOf(ChildProcess child) => Field<BackendChild>(Field<ChildLife>(child, "_life"), "_child");

    /// <summary>Who sees to the descendants of an engine that has started a child.</summary>
    public static LinuxFamily FamilyOf(ProcessEngine engine) =>
        Field<LinuxFamily>(Field<EngineParts>(engine, "_parts").Backend, "_family");

    private static T Field<T>(object owner, string name) =>
        (T)owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(owner)!;
}
