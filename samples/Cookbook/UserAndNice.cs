using System.IO;
using System.Runtime.Versioning;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs a command as another user and with a lower priority.</summary>
[SupportedOSPlatform("linux")]
internal static class UserAndNice
{
    public static void Run(TextWriter output)
    {
        ProcessCommand command = new("sh", "-c", "echo \"$(id -un) runs with the nice value $(nice)\"")
        {
            Nice = 19,
            Identity = ProcessIdentity.OfUser("nobody"),
        };
        try
        {
            output.Write(command.Run().EnsureSuccess().StandardOutput.Text);
        }
        catch (ProcessStartException exception) when (exception.Step == ProcessStartStep.BadIdentity)
        {
            output.WriteLine("this program may not become another user");
        }
    }
}
