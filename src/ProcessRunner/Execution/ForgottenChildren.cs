using System;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Reports the children of an engine whose results no code looked at. Exists only if the engine asks for it.
/// Thread-safe.
/// </summary>
/// <remarks>
/// A witness lives as long as its run. Its finalizer runs once neither the engine, which lets go of a run at its end,
/// nor the program can reach the run any longer.
/// </remarks>
internal sealed class ForgottenChildren(Action<ForgottenChild> report, bool keepsStacks)
{
    private readonly ConditionalWeakTable<ChildLife, Witness> _witnesses = [];

    /// <summary>Watches a run that is reported if no code uses its result.</summary>
    public void Watch(ChildLife life) =>
        _witnesses.Add(life, new Witness(life, report, keepsStacks ? StackOfTheCaller() : null));

    /// <summary>Marks the result of a run as used, or as not needed.</summary>
    public void MarkUsed(ChildLife life)
    {
        if (_witnesses.TryGetValue(life, out Witness? witness))
        {
            witness.MarkUsed();
        }
    }

    // The reader looks for their own code, which stands below the frames of the library.
    private static string StackOfTheCaller() =>
        new StackTrace(new StackTrace(fNeedFileInfo: true).GetFrames().SkipWhile(IsOfTheLibrary)).ToString();

    private static bool IsOfTheLibrary(StackFrame frame) =>
        DiagnosticMethodInfo.Create(frame)?.DeclaringAssemblyName == typeof(ForgottenChildren).Assembly.FullName;

    private sealed class Witness(ChildLife life, Action<ForgottenChild> report, string? stack)
    {
        private volatile bool _isUsed;

        ~Witness()
        {
            try
            {
                if (!_isUsed && life.Completion.Result is ProcessResult result)
                {
                    OwnThread.Start("ProcessRunner report", () => Report(new ForgottenChild(result, stack)));
                }
            }
            catch (OutOfMemoryException)
            {
                // The report is for people who look for a mistake in their program. It is not worth its end.
            }
        }

        public void MarkUsed() => _isUsed = true;

        private void Report(ForgottenChild child)
        {
            try
            {
                report(child);
            }
            catch (Exception)
            {
                // There is no caller that could handle it.
            }
        }
    }
}
