using System.Linq;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Represents lines with the numbers from one on, and a script that prints them. The shell prints them itself: most of
/// the time of a <see cref="FaultSweep"/> is the start of its programs.
/// </summary>
internal sealed class Numbers(int count)
{
    public int Count => count;

    public string Text { get; } = string.Concat(Enumerable.Range(1, count).Select(number => $"{number}\n"));

    public string Script => $"echo '{Text.TrimEnd()}'";
}
