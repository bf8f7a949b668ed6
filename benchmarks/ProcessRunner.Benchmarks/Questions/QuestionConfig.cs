using System.IO;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Provides the configurations that ask the questions: in full, or once each.</summary>
internal static class QuestionConfig
{
    /// <summary>
    /// Creates a configuration of two jobs. The second job runs with inline completions of sockets, which makes Process
    /// with asynchronous reads another rival. Only benchmarks of the category <see cref="Categories.Inline"/> run in
    /// both jobs.
    /// </summary>
    public static IConfig Of(Job job) => Common()
        .AddDiagnoser(MemoryDiagnoser.Default)
        .AddDiagnoser(ThreadingDiagnoser.Default)
        .AddJob(Known(job).WithId("Plain"))
        .AddJob(Known(job).WithEnvironmentVariable(AsyncRunner.InlineCompletions, "1").WithId(Categories.Inline))
        .AddFilter(new SimpleFilter(benchmark =>
            benchmark.Job.Id != Categories.Inline || benchmark.Descriptor.HasCategory(Categories.Inline)));

    /// <summary>Gets the configuration that makes each call once, in this process.</summary>
    public static IConfig Quick { get; } = Common()
        .AddJob(Job.Dry.WithToolchain(InProcessEmitToolchain.Instance).WithId("Quick"));

    private static Job Known(Job job) => job.WithRuntime(new LaterRuntime()).WithToolchain(LaterRuntime.Toolchain);

    private static ManualConfig Common() => ManualConfig.CreateEmpty()
        .AddLogger(ConsoleLogger.Default)
        .AddColumnProvider(DefaultColumnProviders.Instance)
        .AddExporter(MarkdownExporter.GitHub)
        .HideColumns(Column.EnvironmentVariables, Column.Runtime, Column.Toolchain, Column.Error, Column.RatioSD)
        .HideColumns(Column.Gen0, Column.Gen1, Column.Gen2)
        .WithArtifactsPath(Path.Combine(Repository.Artifacts, "BenchmarkDotNet"));
}
