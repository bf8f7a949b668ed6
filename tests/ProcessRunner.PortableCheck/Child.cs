using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;

namespace ProcessRunner.PortableCheck;

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
        for (int i = 0; i < words.Length; i++)
        {
            switch (words[i])
            {
                case "out":
                    output.Write(Encoding.UTF8.GetBytes(words[++i]));
                    break;
                case "error":
                    using (Stream error = Console.OpenStandardError())
                    {
                        error.Write(Encoding.UTF8.GetBytes(words[++i]));
                    }

                    break;
                case "fill":
                    Fill(output, int.Parse(words[++i], CultureInfo.InvariantCulture));
                    break;
                case "copy":
                    using (Stream input = Console.OpenStandardInput())
                    {
                        input.CopyTo(output);
                    }

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
                    Thread.Sleep(int.Parse(words[++i], CultureInfo.InvariantCulture));
                    break;
                case "spawn":
                    ProcessStartInfo start = new(Environment.ProcessPath!, words[++i].Split(' '));
                    using (Process descendant = Process.Start(start)!)
                    {
                        output.Write(Encoding.UTF8.GetBytes($"{descendant.Id}\n"));
                    }

                    break;
                case "return":
                    return int.Parse(words[++i], CultureInfo.InvariantCulture);
                default:
                    return 99;
            }
        }

        return 0;
    }

    private static void Fill(Stream output, int count)
    {
        byte[] bytes = new byte[Math.Min(count, 1 << 16)];
        for (int left = count; left > 0; left -= bytes.Length)
        {
            output.Write(bytes, 0, Math.Min(left, bytes.Length));
        }
    }
}
