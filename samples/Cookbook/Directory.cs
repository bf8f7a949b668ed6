using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs a command in another directory.</summary>
internal static class Directory
{
    public static void Run(TextWriter output)
    {
        ProcessCommand command = new("pwd") { WorkingDirectory = "/usr" };
        output.Write(command.Run().EnsureSuccess().StandardOutput.Text);
    }
}
