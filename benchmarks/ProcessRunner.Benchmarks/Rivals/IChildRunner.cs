using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>One way to run a child, from any number of threads at once.</summary>
internal interface IChildRunner
{
    /// <summary>Starts it, with both outputs redirected.</summary>
    IRunningChild Start(ChildJob job);

    /// <summary>Runs it to its end.</summary>
    sealed ChildReport Run(ChildJob job)
    {
        using IRunningChild child = Start(job);
        child.Wait();
        return child.Report();
    }
}
