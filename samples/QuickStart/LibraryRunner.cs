using ProcessRunner;

namespace QuickStart;

/// <summary>Runs ProcessRunner: Run, then Wait, in the body of the loop.</summary>
internal sealed class LibraryRunner : IChildRunner
{
    public string Name => "ProcessRunner";

    public ChildReport RunOne()
    {
        using ProcessExecutor executor = new("child", Workload.Program);
        executor.Run(Workload.Arguments);
        ProcessResult result = executor.Wait();
        return new ChildReport(result.ExitCode, result.StandardOutput.TotalBytes, result.StandardError.TotalBytes);
    }
}
