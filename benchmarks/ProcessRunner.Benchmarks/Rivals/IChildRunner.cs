using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Represents a way to run a child. Thread-safe.</summary>
internal interface IChildRunner
{
    /// <summary>Starts a child with both outputs redirected.</summary>
    IRunningChild Start(ChildJob job);

    /// <summary>Runs a child to its end.</summary>
    sealed ChildReport Run(ChildJob job)
    {
        using IRunningChild child = Start(job);
        child.Wait();
        return child.Report();
    }
}
