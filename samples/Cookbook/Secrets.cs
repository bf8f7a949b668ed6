using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Traces every command line, and hides a password.</summary>
internal static class Secrets
{
    public static void Run(TextWriter output)
    {
        ProcessEngineOptions options = new() { Trace = output.WriteLine, Secrets = ["hunter2"] };
        using ProcessEngine engine = new(options);
        new ProcessCommand("true", "--password", "hunter2").Run(engine).EnsureSuccess();
    }
}
