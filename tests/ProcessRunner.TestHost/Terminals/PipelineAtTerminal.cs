using System;

namespace ProcessRunner.TestHost.Terminals;

/// <summary>
/// Runs two children as a pipeline. With the argument <c>inherit</c>, the first child reads our standard input. Writes
/// the group and the session of each child to the screen, as the second child has received them.
/// </summary>
internal sealed class PipelineAtTerminal : IScenario
{
    private const string TellOneself = "cut -d ' ' -f 1,5,6 /proc/self/stat";

    public string Name => "pipeline-at-terminal";

    public void Play(string[] arguments)
    {
        ProcessCommand first = new("/bin/sh", "-c", TellOneself)
        {
            StandardInput = arguments[0] == "inherit" ? InputSource.Inherit : InputSource.Null,
        };
        PipelineResult result = first.PipeTo(new ProcessCommand("/bin/sh", "-c", $"cat; {TellOneself}")).Run();
        string[] own = System.IO.File.ReadAllText("/proc/self/stat").Split(' ');
        foreach (string line in result.StandardOutput.Text.TrimEnd().Split('\n'))
        {
            string[] fields = line.Split(' ');
            Console.Out.WriteLine(
                $"stage: {(fields[1] == own[4] ? "our" : "another")} group, "
                + $"{(fields[2] == own[5] ? "our" : "another")} session");
        }

        Console.Out.WriteLine("done");
        Console.Out.Flush();
    }
}
