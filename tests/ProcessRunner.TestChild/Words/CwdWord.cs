using System;

namespace ProcessRunner.TestChild.Words;

internal sealed class CwdWord : Word
{
    public const string Id = "cwd";

    public override string Name => Id;

    public override string Description => "prints the working directory";

    public override void Run() => StandardStreams.WriteLine(StandardStreams.Output, Environment.CurrentDirectory);
}
