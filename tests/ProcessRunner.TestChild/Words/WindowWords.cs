using System;

namespace ProcessRunner.TestChild.Words;

/// <summary>Represents a word about the window of this program, which Windows alone has.</summary>
internal abstract class WindowBaseWord : Word
{
    protected override void Accept(ReadOnlySpan<string> values)
    {
        if (!OperatingSystem.IsWindows())
        {
            throw new UsageException($"'{Name}': this system has no windows");
        }
    }
}

internal sealed class OpenWindowWord : WindowBaseWord
{
    public const string Id = "open-window";

    public override string Name => Id;

    public override string Description => "opens a window that nobody sees";

    public override void Run()
    {
        if (User32.CreateWindow() == 0)
        {
            throw new WordFailedException($"'{Name}': there is no desktop");
        }
    }
}

internal sealed class AwaitCloseWord : WindowBaseWord
{
    public const string Id = "await-close";

    public override string Name => Id;

    public override string Description => "waits until somebody closes the window";

    public override void Run() => User32.AwaitClose();
}
