using System;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Sizes the crowds of tests. A start takes ten times as long on Windows as on Linux, and longer under Wine: a tenth of
/// the children must do there.
/// </summary>
public static class Crowd
{
    /// <summary>Gets how many children a test takes that takes so many on Unix.</summary>
    public static int Of(int count) => OperatingSystem.IsWindows() ? int.Max(1, count / 10) : count;
}
