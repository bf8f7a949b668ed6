using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Text.Json;
using ProcessRunner;

namespace PTest.Precompilation;

/// <summary>Represents the compiler that puts machine code into an assembly.</summary>
/// <param name="Program">The path of the program.</param>
/// <param name="TargetSystem">The operating system to compile for, as the program names it.</param>
/// <param name="TargetProcessor">The processor to compile for, as the program names it.</param>
/// <param name="Runtime">The version of the runtime to compile for.</param>
internal sealed record Crossgen(string Program, string TargetSystem, string TargetProcessor, Version Runtime)
{
    // Generic code of the core library over types of the assembly, above all that of asynchronous methods: the runtime
    // would have to compile it. It takes the code only if its own core library has the same (dotnet/runtime#71271).
    private static readonly string[] s_coreLibraryToo = ["--opt-cross-module", "System.Private.CoreLib"];

    /// <summary>
    /// Gets the compiler of a runtime from NuGet, as a project does that is published with PublishReadyToRun. The
    /// SDK knows the version, and the NuGet.Config of the user and of this folder the source.
    /// </summary>
    /// <exception cref="UsageException">It cannot be had.</exception>
    public static Crossgen Of(Version runtime)
    {
        string rid = RuntimeInformation.RuntimeIdentifier;
        string folder = ScratchFolder.Create("ptest-crossgen-");
        try
        {
            // Nothing that the user has in folders above must change the project.
            foreach (string file in (string[])
                ["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
            {
                File.WriteAllText(Path.Combine(folder, file), "<Project />");
            }

            string project = Path.Combine(folder, "crossgen.csproj");
            File.WriteAllText(project, $"""
                <Project Sdk="Microsoft.NET.Sdk">
                  <PropertyGroup>
                    <TargetFramework>net{runtime.Major}.{runtime.Minor}</TargetFramework>
                    <RuntimeIdentifier>{rid}</RuntimeIdentifier>
                    <SelfContained>false</SelfContained>
                    <UseAppHost>false</UseAppHost>
                    <PublishReadyToRun>true</PublishReadyToRun>
                  </PropertyGroup>
                </Project>
                """);
            ProcessResult result = new ProcessCommand(
                "dotnet", "msbuild", project, "-restore", "-nologo",
                $"-p:RestoreRootConfigDirectory={Directory.GetCurrentDirectory()}",
                "-t:ResolveFrameworkReferences;ResolveReadyToRunCompilers", "-getItem:Crossgen2Tool")
            {
                WorkingDirectory = folder,
            }.Run();
            return (result.IsSuccess ? Read(result.StandardOutput.Text, runtime) : null)
                ?? throw new UsageException(
                    $"--precompile needs the package microsoft.netcore.app.crossgen2.{rid} for .NET {runtime.Major}, "
                    + "and it cannot be restored. Give NuGet a source that has it, or leave out --precompile.\n"
                    + $"{result.StandardOutput.Text}{result.StandardError.Text}".TrimEnd());
        }
        finally
        {
            ScratchFolder.Delete(folder);
        }
    }

    /// <summary>Makes the command that compiles an assembly.</summary>
    /// <param name="assembly">Its path.</param>
    /// <param name="output">The path of the result.</param>
    /// <param name="references">A file of lines, each a reference.</param>
    public ProcessCommand Compile(string assembly, string output, string references)
    {
        string[] arguments =
        [
            assembly, "--out", output, "--targetos", TargetSystem, "--targetarch", TargetProcessor, "-O",
            $"@{references}", .. Runtime.Major >= 8 ? s_coreLibraryToo : [],
        ];
        bool isProgram = !Program.EndsWith(".dll", StringComparison.Ordinal);
        return isProgram
            ? new ProcessCommand(Program, arguments)
            : new ProcessCommand("dotnet", [Program, .. arguments]);
    }

    private static Crossgen? Read(string text, Version runtime)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(text);
            foreach (JsonElement tool in
                document.RootElement.GetProperty("Items").GetProperty("Crossgen2Tool").EnumerateArray())
            {
                string Of(string name) => tool.GetProperty(name).GetString()!;
                return new Crossgen(Of("FullPath"), Of("TargetOS"), Of("TargetArch"), runtime);
            }
        }
        catch (Exception exception) when (exception is JsonException or KeyNotFoundException)
        {
            // The SDK has written something else, which the error shows.
        }

        return null;
    }
}
