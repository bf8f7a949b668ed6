using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild.Words;

/// <summary>Starts this program again with the words up to the matching <c>end</c>.</summary>
internal abstract class SpawnBaseWord : Word
{
    private string[] _arguments = [];

    /// <summary>Gets the words.</summary>
    protected ReadOnlySpan<string> Arguments => _arguments;

    public override string Values => "WORD... " + Parser.End;

    public override void Read(ArgumentCursor cursor) => _arguments = Parser.TakeNested(this, cursor);

    protected Process Start()
    {
        string program = Environment.ProcessPath ?? throw new WordFailedException("the program's own path is unknown");
        var startInfo = new ProcessStartInfo(program) { UseShellExecute = false };
        if (Path.GetFileName(program) == "dotnet")
        {
            startInfo.ArgumentList.Add(typeof(SpawnBaseWord).Assembly.Location);
        }

        foreach (string argument in _arguments)
        {
            startInfo.ArgumentList.Add(argument);
        }

        try
        {
            return Process.Start(startInfo)!;
        }
        catch (Win32Exception exception)
        {
            throw new WordFailedException($"'{Name}': {exception.Message}");
        }
    }
}

internal sealed class SpawnWord : SpawnBaseWord
{
    public const string Id = "spawn";

    public override string Name => Id;

    public override string Description => "runs the words in a child that has the same standard streams; does not wait";

    public override void Run() => WaitWord.Spawned.Add(Start());
}

internal sealed class WaitWord : Word
{
    public const string Id = "wait";

    /// <summary>Gets what <c>spawn</c> has started.</summary>
    public static List<Process> Spawned { get; } = [];

    public override string Name => Id;

    public override string Description => "waits for the ends of all that 'spawn' has started so far";

    public override void Run() => Spawned.ForEach(static process => process.WaitForExit());
}

internal sealed class SpawnWaitWord : SpawnBaseWord
{
    public const string Id = "spawn-wait";

    public override string Name => Id;

    public override string Description => "the same, but waits for the child's end and ignores its exit code";

    public override void Run()
    {
        using Process process = Start();
        process.WaitForExit();
    }
}

internal sealed class SpawnAwayWord : SpawnBaseWord
{
    public const string Id = "spawn-away";

    public override string Name => Id;

    public override string Description => "the same as 'spawn', but outside the job of Windows, without the streams";

    public override void Read(ArgumentCursor cursor)
    {
        base.Read(cursor);
        if (!OperatingSystem.IsWindows())
        {
            throw new UsageException($"'{Name}': this system has no jobs");
        }
    }

    public override void Run()
    {
        string commandLine = $"\"{Environment.ProcessPath}\"";
        foreach (string argument in Arguments)
        {
            commandLine += $" \"{argument}\"";
        }

        if (!Kernel32.StartOutsideTheJob(commandLine))
        {
            throw new WordFailedException($"'{Name}': {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}");
        }
    }
}

internal sealed class SessionWord : Word
{
    public const string Id = "session";

    public override string Name => Id;

    public override string Description => "continues in a new session: setsid(2)";

    public override void Run()
    {
        if (LibC.StartSession() < 0)
        {
            throw new WordFailedException("'session': the process already leads a process group");
        }
    }
}

internal sealed class ParentsGroupWord : Word
{
    public const string Id = "parents-group";

    public override string Name => Id;

    public override string Description => "continues in the process group of its parent: setpgid(2)";

    public override void Run()
    {
        if (LibC.SetGroup(0, LibC.GetGroup(LibC.GetParent())) < 0)
        {
            throw new WordFailedException($"'{Id}': {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}");
        }
    }
}

internal sealed class ReturnWord : Word
{
    public const string Id = "return";

    private int _code;

    public override string Name => Id;

    public override string Values => "CODE";

    public override string Description => "ends at once with the exit code CODE";

    protected override int ValueCount => 1;

    public override void Run() => Environment.Exit(_code);

    protected override void Accept(ReadOnlySpan<string> values) =>
        _code = (int)Number("CODE", values[0], 0, byte.MaxValue);
}
