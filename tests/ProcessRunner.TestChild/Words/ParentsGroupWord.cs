using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild.Words;

internal sealed class ParentsGroupWord : Word
{
    public const string Id = "parents-group";

    public override string Name => Id;

    public override string Description => "goes on in the process group of its parent: setpgid(2)";

    public override void Run()
    {
        if (LibC.SetGroup(0, LibC.GetGroup(LibC.GetParent())) < 0)
        {
            throw new WordFailedException($"'{Id}': {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}");
        }
    }
}
