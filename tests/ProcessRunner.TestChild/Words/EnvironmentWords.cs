using System;
using System.Collections;
using System.Globalization;
using System.IO;
using System.Text;

namespace ProcessRunner.TestChild.Words;

internal sealed class EnvWord : Word
{
    public const string Id = "env";

    private string _variable = "";

    public override string Name => Id;

    public override string Values => "NAME";

    public override string Description => "prints the value of NAME, or 'NAME is unset' on standard error";

    protected override int ValueCount => 1;

    public override void Run()
    {
        if (Environment.GetEnvironmentVariable(_variable) is { } value)
        {
            StandardStreams.WriteLine(StandardStreams.Output, value);
        }
        else
        {
            StandardStreams.WriteLine(StandardStreams.Error, _variable + " is unset");
        }
    }

    protected override void Accept(ReadOnlySpan<string> values) => _variable = values[0];
}

internal abstract class EnvAllBaseWord(string id, char end) : Word
{
    public override string Name => id;

    public override string Description => "prints the environment as it was at the start, as sorted NAME=VALUE "
        + (end == '\0' ? "that end with NUL" : "lines");

    // Environment drops duplicate names and invalid UTF-8. Latin-1 keeps every byte unchanged.
    public override void Run()
    {
        string[] variables = OperatingSystem.IsLinux() ? OfTheKernel() : OfTheRuntime();
        Array.Sort(variables, StringComparer.Ordinal);
        foreach (string variable in variables)
        {
            StandardStreams.Write(StandardStreams.Output, Encoding.Latin1.GetBytes(variable + end));
        }
    }

    private static string[] OfTheKernel() =>
        Encoding.Latin1.GetString(File.ReadAllBytes("/proc/self/environ"))
            .Split('\0', StringSplitOptions.RemoveEmptyEntries);

    private static string[] OfTheRuntime()
    {
        IDictionary all = Environment.GetEnvironmentVariables();
        string[] variables = new string[all.Count];
        int count = 0;
        foreach (DictionaryEntry variable in all)
        {
            byte[] bytes = Encoding.UTF8.GetBytes($"{variable.Key}={variable.Value}");
            variables[count++] = Encoding.Latin1.GetString(bytes);
        }

        return variables;
    }
}

internal sealed class EnvAllWord() : EnvAllBaseWord(Id, '\n')
{
    public const string Id = "env-all";
}

internal sealed class Env0Word() : EnvAllBaseWord(Id, '\0')
{
    public const string Id = "env-0";
}

internal sealed class CwdWord : Word
{
    public const string Id = "cwd";

    public override string Name => Id;

    public override string Description => "prints the working directory";

    public override void Run() => StandardStreams.WriteLine(StandardStreams.Output, Environment.CurrentDirectory);
}

internal sealed class ArgsWord : Word
{
    public const string Id = "args";

    private string[] _arguments = [];

    public override string Name => Id;

    public override string Values => "...";

    public override string Description => "prints all the rest of the arguments, each as a line of hexadecimal UTF-8";

    public override void Read(ArgumentCursor cursor) => _arguments = cursor.TakeRest();

    public override void Run()
    {
        foreach (string argument in _arguments)
        {
            string bytes = Convert.ToHexStringLower(Encoding.UTF8.GetBytes(argument));
            StandardStreams.WriteLine(StandardStreams.Output, bytes);
        }
    }
}

internal sealed class PidWord : Word
{
    public const string Id = "pid";

    public override string Name => Id;

    public override string Description => "prints the process id";

    public override void Run() => StandardStreams.WriteLine(
        StandardStreams.Output, Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
}

internal sealed class OwnNameWord : Word
{
    public const string Id = "own-name";

    public override string Name => Id;

    public override string Description => "prints the name that the program was given as its own";

    // .NET tells the path of the program in its place.
    public override void Run() => StandardStreams.WriteLine(
        StandardStreams.Output,
        OperatingSystem.IsWindows() ? OfTheLine(Kernel32.CommandLine)
            : OperatingSystem.IsLinux() ? File.ReadAllText("/proc/self/cmdline").Split('\0')[0]
            : Environment.GetCommandLineArgs()[0]);

    private static string OfTheLine(string line) => line.StartsWith('"') ? line.Split('"')[1] : line.Split(' ')[0];
}
