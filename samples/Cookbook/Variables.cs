using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Changes the environment of a command.</summary>
internal static class Variables
{
    public static void Run(TextWriter output)
    {
        ProcessCommand command = new ProcessCommand("sh", "-c", "echo ${GREETING} ${HOME-nowhere}")
            .WithEnvironment("GREETING", "hello")
            .WithEnvironment("HOME", null);
        output.Write(command.Run().EnsureSuccess().StandardOutput.Text);
    }
}
