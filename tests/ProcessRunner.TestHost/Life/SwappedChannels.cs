using System.IO;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.TestHost.Life;

/// <summary>Plays a host that passes on two files, each under the number that the other one has here.</summary>
internal sealed class SwappedChannels : IScenario
{
    public string Name => "swapped-channels";

    public void Play(string[] arguments)
    {
        string path = Path.GetTempFileName();
        File.WriteAllText(path, "text");
        using SafeFileHandle text = File.OpenHandle(path);
        File.Delete(path);
        using SafeFileHandle nothing = File.OpenHandle("/dev/null");
        int textNumber = (int)text.DangerousGetHandle();
        int nothingNumber = (int)nothing.DangerousGetHandle();
        ProcessCommand command = new ProcessCommand("sh", "-c", "cat /dev/fd/$1; echo; cat /dev/fd/$2", "sh")
            .WithArguments(nothingNumber.ToString(), textNumber.ToString())
            .WithChannel(nothingNumber, OutputTarget.ToHandle(text))
            .WithChannel(textNumber, OutputTarget.ToHandle(nothing));
        Expect.Equal("text\n", command.Run().StandardOutput.Text, "the text under the other number");
    }
}
