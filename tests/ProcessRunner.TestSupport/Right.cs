using System;
using System.Collections.Concurrent;
using System.Text.RegularExpressions;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Names rights that tests need and that a build machine may not grant, each by a shell script that succeeds with it.
/// </summary>
public static class Right
{
    public const string Superuser = "[ \"$(id -u)\" = 0 ]";
    public const string MountNamespace = "unshare --mount true";
    public const string Mount = "unshare --mount mount -t tmpfs none /mnt";
    public const string ProcessNamespace = "unshare --pid --fork true";
    public const string ProcessNamespaceWithTable = "unshare --pid --fork --mount-proc true";

    // Only a missing right keeps a test from running. A script that fails for another reason lets the test run, and
    // fail.
    private static readonly Regex s_refusal = new(
        "^$|(unshare|mount).*(not permitted|denied|superuser|Invalid argument|No space|not found)");

    private static readonly ConcurrentDictionary<string, string?> s_obstacles = new();

    /// <summary>Gets why a test cannot run that needs a right; null if it can.</summary>
    public static string? Obstacle(string right) => s_obstacles.GetOrAdd(right, static right =>
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        using ProcessEngine engine = new();
        ProcessCommand command = TestPrograms.Shell(right).WithEnvironment("LC_ALL", "C");
        ProcessResult result = command.Run(engine);
        string message = result.StandardError.Text.TrimEnd();
        return result.IsSuccess || !s_refusal.IsMatch(message) ? null : $"'{right}' is refused here: {message}";
    });
}
