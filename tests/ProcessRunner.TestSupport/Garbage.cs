using System;

namespace ProcessRunner.TestSupport;

/// <summary>Holds the descriptors and threads of objects that an earlier test has not disposed.</summary>
public static class Garbage
{
    /// <summary>Lets their finalizers run now, so that they change no count later.</summary>
    public static void LetGo()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
