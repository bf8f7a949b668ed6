using System;
using System.Reflection;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>
/// Tells whether this process can have listeners: whether it has loaded a library that they need. Nothing of the
/// instruments is touched before, because each loaded assembly keeps two descriptors, and a process with a limit of 64
/// has none to spare.
/// </summary>
/// <remarks>The field belongs to the process, as its assemblies do. It only ever becomes true.</remarks>
internal static class Listeners
{
    private static volatile bool s_canExist;

    static Listeners()
    {
        AppDomain.CurrentDomain.AssemblyLoad += static (_, loaded) => Note(loaded.LoadedAssembly);
        Array.ForEach(AppDomain.CurrentDomain.GetAssemblies(), Note);
    }

    /// <summary>Gets whether there can be listeners.</summary>
    public static bool CanExist => s_canExist;

    private static void Note(Assembly assembly)
    {
        if (assembly.GetName().Name is "System.Diagnostics.DiagnosticSource" or "System.Diagnostics.Tracing")
        {
            s_canExist = true;
        }
    }
}
