using System;
using System.Globalization;

namespace ProcessRunner.TestChild.Words;

internal sealed class PidWord : Word
{
    public const string Id = "pid";

    public override string Name => Id;

    public override string Description => "prints the process id";

    public override void Run() => StandardStreams.WriteLine(
        StandardStreams.Output, Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
}
