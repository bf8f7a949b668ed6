using System;
using System.IO;
using System.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Answers the prompts of a program, which end without a line end.</summary>
internal static class Dialogue
{
    public static void Run(TextWriter output)
    {
        const string Login = "printf 'user: '; read u; printf 'password: '; read p; echo \"welcome, $u\"";
        ProcessCommand login = new("sh", "-c", Login)
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(new LineOptions { PromptDelay = TimeSpan.FromMilliseconds(100) }),
        };
        using ChildProcess child = login.Start();
        child.WaitForLine(line => line.Content == "user: ", TimeSpan.FromSeconds(30));
        child.StandardInput.Write("ada\n"u8);
        child.WaitForLine(line => line.Content == "password: ", TimeSpan.FromSeconds(30));
        child.StandardInput.Write("secret\n"u8);
        output.WriteLine(child.ReadLines().Last().Content);
    }
}
