using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.CsProj;
using BenchmarkDotNet.Toolchains.DotNetCli;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>
/// .NET 10 for BenchmarkDotNet 0.14, which takes every .NET that came after it for one from before .NET Core 3.0 and
/// would not let the ThreadingDiagnoser run: here its number is above all that it knows. The toolchain is the usual one
/// without its look for an SDK of that number.
/// </summary>
internal sealed class LaterRuntime() : CustomRuntime((RuntimeMoniker)int.MaxValue, TargetFramework, DisplayName)
{
    private const string TargetFramework = "net10.0";
    private const string DisplayName = ".NET 10.0";

    // Null stands for what is usual; this version does not say so in its signatures.
    public static IToolchain Toolchain { get; } = new Toolchain(
        DisplayName,
        new CsProjGenerator(TargetFramework, null!, null!, null!),
        new DotNetCliBuilder(TargetFramework),
        new DotNetCliExecutor(null!));
}
