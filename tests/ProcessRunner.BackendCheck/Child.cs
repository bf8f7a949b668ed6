using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Plays the child: this program with words as its arguments. Every system that .NET runs on can start it, unlike a
/// shell.
/// </summary>
internal static class Child
{
    /// <summary>Follows the words in their order.</summary>
    /// <returns>The exit code.</returns>
    public static int Play(string[] words)
    {
        using Stream output = Console.OpenStandardOutput();
        using Stream error = Console.OpenStandardError();
        for (int i = 0; i < words.Length; i++)
        {
            switch (words[i])
            {
                case "out":
                    output.Write(Encoding.UTF8.GetBytes(words[++i]));
                    break;
                case "error":
                    error.Write(Encoding.UTF8.GetBytes(words[++i]));
                    break;
                case "fill":
                    Pattern.Write(Number(words[++i]), output);
                    break;
                case "fillBoth":
                    Pattern.Write(Number(words[++i]), output, error);
                    break;
                case "channel":
                    using (Stream channel = OpenChannel(words[++i]))
                    {
                        channel.Write(Encoding.UTF8.GetBytes(words[++i]));
                    }

                    break;
                case "fillChannel":
                    using (Stream channel = OpenChannel(words[++i]))
                    {
                        Pattern.Write(Number(words[++i]), channel);
                    }

                    break;
                case "copy":
                    using (Stream input = Console.OpenStandardInput())
                    {
                        input.CopyTo(output);
                    }

                    break;
                case "take":
                    Take(Number(words[++i]), output);
                    break;
                case "variable":
                    output.Write(Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable(words[++i]) ?? "none"));
                    break;
                case "directory":
                    output.Write(Encoding.UTF8.GetBytes(Environment.CurrentDirectory));
                    break;
                case "words":
                    output.Write(Encoding.UTF8.GetBytes(string.Join('|', words[(i + 1)..])));
                    return 0;
                case "sleep":
                    Thread.Sleep(Number(words[++i]));
                    break;
                case "spawn":
                    Spawn(words[++i].Split(' '), output);
                    break;
                case "guard":
                    Guard(output);
                    break;
                case "guardOne":
                    GuardOne(output);
                    break;
                case "return":
                    return Number(words[++i]);
                case "crash":
                    Environment.FailFast("as asked");
                    break;
                default:
                    return 99;
            }
        }

        return 0;
    }

    // On Windows the variable has the handle; elsewhere the number is that of the descriptor.
    private static FileStream OpenChannel(string number)
    {
        string value = Environment.GetEnvironmentVariable("PROCESSRUNNER_CHANNEL_" + number) ?? number;
        SafeFileHandle handle = new(nint.Parse(value, CultureInfo.InvariantCulture), ownsHandle: true);
        return new FileStream(handle, FileAccess.Write, bufferSize: 0);
    }

    private static int Number(string word) => int.Parse(word, CultureInfo.InvariantCulture);

    private static void Take(int count, Stream output)
    {
        using Stream input = Console.OpenStandardInput();
        byte[] bytes = new byte[count];
        input.ReadExactly(bytes);
        output.Write(bytes);
    }

    // Starts a child that ends with this process.
    private static void Guard(Stream output)
    {
        ProcessEngine engine =
            new(new ProcessEngineOptions { Backend = EngineBackend.Native, KillChildrenOnExit = true });
        ChildProcess child = new ProcessCommand(Environment.ProcessPath!, "sleep", "1000000").Start(engine);
        output.Write(Encoding.UTF8.GetBytes($"{child.ProcessId}\n"));
        child.Wait();
    }

    private static void GuardOne(Stream output)
    {
        ProcessCommand sleep = new(Environment.ProcessPath!, "sleep", "1000000");
        ChildProcess spared = sleep.Start();
        ChildProcess child = (sleep with { KillOnParentExit = true }).Start();
        output.Write(Encoding.UTF8.GetBytes($"{child.ProcessId}\n{spared.ProcessId}\n"));
        child.Wait();
    }

    private static void Spawn(string[] words, Stream output)
    {
        ProcessStartInfo start = new(Environment.ProcessPath!, words);
        using Process descendant = Process.Start(start)!;
        output.Write(Encoding.UTF8.GetBytes($"{descendant.Id}\n"));
    }
}
