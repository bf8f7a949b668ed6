using System;
using System.IO;
using System.Text;

namespace ProcessRunner.TestChild.Words;

internal sealed class EnvAllWord : Word
{
    public const string Id = "env-all";

    public override string Name => Id;

    public override string Description => "prints the environment as it was at the start, as sorted NAME=VALUE lines";

    // Environment drops duplicate names and invalid UTF-8. Latin-1 keeps every byte unchanged.
    public override void Run()
    {
        string block = Encoding.Latin1.GetString(File.ReadAllBytes("/proc/self/environ"));
        string[] variables = block.Split('\0', StringSplitOptions.RemoveEmptyEntries);
        Array.Sort(variables, StringComparer.Ordinal);
        foreach (string variable in variables)
        {
            StandardStreams.Write(StandardStreams.Output, Encoding.Latin1.GetBytes(variable + "\n"));
        }
    }
}
