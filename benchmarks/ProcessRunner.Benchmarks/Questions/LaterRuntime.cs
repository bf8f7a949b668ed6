using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.CsProj;
using BenchmarkDotNet.Toolchains.DotNetCli;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>
/// Describes .NET 10 to BenchmarkDotNet 0.14. That version mistakes every later .NET for a .NET before .NET Core 3.0
/// and refuses to run the ThreadingDiagnoser. A number above all that it knows avoids this. The toolchain is the usual
/// toolchain without the check for an SDK of that number.
/// </summary>
internal sealed class LaterRuntime() : CustomRuntime((RuntimeMoniker)int.MaxValue, TargetFramework, DisplayName)
{
    private const string TargetFramework = "net10.0";
    private const string DisplayName = ".NET 10.0";

    // Null selects the default; the signatures of this version do not say so.
    public static IToolchain Toolchain { get; } = new Toolchain(
        DisplayName,
        new CsProjGenerator(TargetFramework, null!, null!, null!),
        new DotNetCliBuilder(TargetFramework),
        new DotNetCliExecutor(null!));
}
