using System;
using System.Text;

namespace ProcessRunner.TestChild.Words;

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
