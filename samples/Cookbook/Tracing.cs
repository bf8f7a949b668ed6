using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Listens to the activities of the children.</summary>
internal static class Tracing
{
    public static void Run(TextWriter output)
    {
        using BlockingCollection<Activity> activities = [];
        using ActivityListener listener = new()
        {
            ShouldListenTo = source => source.Name == "ProcessRunner",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activities.Add,
        };
        ActivitySource.AddActivityListener(listener);
        new ProcessCommand("sh", "-c", "exit 3").Run();
        Activity activity = activities.Take();
        output.WriteLine($"{activity.DisplayName}: exit code {activity.GetTagItem("process.exit.code")}");
    }
}
