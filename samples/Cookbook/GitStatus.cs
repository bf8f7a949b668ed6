using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Lists the changed files of a repository.</summary>
internal static class GitStatus
{
    public static void Run(TextWriter output)
    {
        ProcessCommand git = new("git", "status", "--porcelain");
        foreach (string line in git.Run().EnsureSuccess().StandardOutput.Lines())
        {
            output.WriteLine(line);
        }
    }
}
