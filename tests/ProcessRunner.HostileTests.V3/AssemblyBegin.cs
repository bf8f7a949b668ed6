using System;
using System.IO;
using System.Threading;
using HostileV3;
using Xunit;

[assembly: AssemblyFixture(typeof(AssemblyBegin))]

namespace HostileV3;

// Does not come to the first collection of tests, if that is asked for: always, or only in the first process.
public sealed class AssemblyBegin
{
    public AssemblyBegin()
    {
        string? way = Environment.GetEnvironmentVariable("HOSTILE_ASSEMBLY_BEGIN");
        if (way == "exit")
        {
            Environment.Exit(0);
        }

        if (way == "hang" || (way == "hang once" && IsFirst()))
        {
            new ManualResetEventSlim().Wait();
        }
    }

    private static bool IsFirst()
    {
        string path = Path.Combine(Environment.GetEnvironmentVariable("HOSTILE_STATE")!, "assembly-begin");
        bool isFirst = !File.Exists(path);
        File.WriteAllText(path, "");
        return isFirst;
    }
}
