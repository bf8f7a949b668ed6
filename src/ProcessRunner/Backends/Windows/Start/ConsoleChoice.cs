using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the choice of a child's console and of its group there, which decide whether a CTRL_BREAK can reach it,
/// and whether a window appears.
/// </summary>
/// <param name="LeadsGroup">
/// Whether the child leads a group of its own. A Ctrl-C at the console does not reach it there.
/// </param>
/// <param name="HasOwnConsole">
/// Whether the child has a console of its own, without a window. Otherwise it shares ours.
/// </param>
internal readonly record struct ConsoleChoice(bool LeadsGroup, bool HasOwnConsole)
{
    /// <summary>Gets the flags for CreateProcess.</summary>
    public uint Flags =>
        (LeadsGroup ? Kernel32.CREATE_NEW_PROCESS_GROUP : 0) | (HasOwnConsole ? Kernel32.CREATE_NO_WINDOW : 0);

    /// <summary>Chooses for a plan.</summary>
    /// <param name="plan">The plan of the child.</param>
    /// <param name="haveConsole">Whether this process has a console.</param>
    public static ConsoleChoice For(ILaunchPlan plan, bool haveConsole)
    {
        // A console that nobody shares with us has no group of ours. Without a choice, the system would show a window.
        bool hasOwnConsole = !haveConsole || plan.Group == LaunchGroup.Session;
        bool sharesGroup = plan.Group == LaunchGroup.Inherit
            || (plan.Group == LaunchGroup.Auto && plan.Input.Kind == StreamBindingKind.Inherit);
        return new ConsoleChoice(hasOwnConsole || !sharesGroup, hasOwnConsole);
    }
}
