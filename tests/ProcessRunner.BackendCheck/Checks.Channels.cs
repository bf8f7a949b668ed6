using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.BackendCheck;

/// <summary>The checks of streams beyond the standard ones, and of handles that a child gets.</summary>
internal static partial class Checks
{
    private static void Channels()
    {
        ProcessCommand command = Self("channel", "3", "three", "out", "printed", "channel", "40", "forty")
            .WithChannel(3, OutputTarget.Capture())
            .WithChannel(40, OutputTarget.Capture());
        if (!s_isNative)
        {
            Equal(true, Throws<PlatformNotSupportedException>(() => command.Run()));
            return;
        }

        ProcessResult result = command.Run().EnsureSuccess();
        Equal("printed", result.StandardOutput.Text);
        Equal("three", result.Channels[3].Text);
        Equal("forty", result.Channels[40].Text);
        CrowdOfChannels();
        LinesOfChannels();
    }

    private static void CrowdOfChannels()
    {
        Task<ProcessResult>[] runs =
        [
            .. Enumerable.Range(0, 20).Select(number =>
                Self("fillChannel", "5", $"{100_000 + number}").WithChannel(5, OutputTarget.Capture()).RunAsync()),
        ];
        foreach (ProcessResult result in runs.Select(run => run.GetAwaiter().GetResult()))
        {
            Equal(result.Command.Arguments[2], $"{result.EnsureSuccess().Channels[5].TotalBytes}");
        }
    }

    private static void LinesOfChannels()
    {
        using ManualResetEventSlim heard = new();
        using ChildProcess child = (Self("channel", "3", "ready\n", "copy") with { StandardInput = InputSource.Pipe })
            .WithChannel(3, OutputTarget.ToLines(_ => heard.Set()))
            .Start();
        heard.Wait();
        child.StandardInput.Write("answer"u8);
        child.StandardInput.Close();
        Equal("answer", child.Wait().StandardOutput.Text);
    }

    private static void PassedHandles()
    {
        string path = Path.GetTempFileName();
        File.WriteAllText(path, "from the file");
        using SafeFileHandle input = File.OpenHandle(path);
        ProcessCommand command = Self("copy") with { StandardInput = InputSource.FromHandle(input) };
        if (!s_isNative)
        {
            Equal(true, Throws<PlatformNotSupportedException>(() => command.Run()));
            return;
        }

        Equal("from the file", command.Run().StandardOutput.Text);
        input.Dispose();
        using (SafeFileHandle output = File.OpenHandle(path, FileMode.Create, FileAccess.Write))
        {
            (Self("out", "to the file") with { StandardOutput = OutputTarget.ToHandle(output) }).Run().EnsureSuccess();
            Self("channel", "9", ", twice").WithChannel(9, OutputTarget.ToHandle(output)).Run().EnsureSuccess();
        }

        Equal("to the file, twice", File.ReadAllText(path));
        Equal(true, Throws<ProcessStartException>(() => command.Run()));
    }
}
