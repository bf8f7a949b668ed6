using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using ProcessRunner;
using PTest.Hosts;
using PTest.Output;
using PTest.Suites;

namespace PTest.Precompilation;

/// <summary>
/// Makes machine code of the assemblies that a test project has from packages, its test framework among them, and of
/// the startup hook. The user's cache keeps it by the content of an assembly and the version of the runtime.
/// </summary>
internal sealed class Precompiler(string cache, int jobs)
{
    private readonly Dictionary<Version, Crossgen> _compilers = [];

    /// <summary>Prepares the assemblies whose host can use the result.</summary>
    /// <exception cref="UsageException">There is no compiler, or no cache.</exception>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    public static void Prepare(IReadOnlyList<TestAssembly> assemblies, int jobs)
    {
        string cache = UserCache.Folder("precompiled") ?? throw new UsageException(
            "--precompile needs a folder of the user for its cache. XDG_CACHE_HOME names one.");
        string root = ScratchFolder.Create("ptest-precompile-");
        try
        {
            Precompiler precompiler = new(cache, jobs);
            foreach (TestAssembly assembly in assemblies)
            {
                if (assembly.Host is HookHost host
                    && DependencyFile.Of(assembly.FilePath) is DependencyFile dependencies)
                {
                    host.Precompiled =
                        precompiler.Prepare(assembly, host, dependencies, TargetRuntime.Of(assembly, host, root), root);
                }
            }
        }
        finally
        {
            ScratchFolder.Delete(root);
        }
    }

    private PrecompiledAssemblies Prepare(
        TestAssembly assembly, HookHost host, DependencyFile dependencies, TargetRuntime runtime, string root)
    {
        IReadOnlySet<string> packages = dependencies.PackageFiles;
        Dictionary<string, string> results = runtime.Assemblies
            .Where(path => packages.Contains(Path.GetFileName(path)) && Path.GetDirectoryName(path) == assembly.Folder)
            .Append(host.Hook)
            .Where(IsWithoutMachineCode)
            .ToDictionary(path => path, path => ResultOf(path, runtime.Version));
        Compile(results, runtime, root);
        results = results.Where(pair => File.Exists(pair.Value)).ToDictionary();
        string hook = results.Remove(host.Hook, out string? compiled) ? compiled : host.Hook;
        string text = dependencies.Without(
            results.Keys.Select(path => Path.GetFileName(path)).ToHashSet(StringComparer.OrdinalIgnoreCase));
        return new PrecompiledAssemblies(
            Keep(text),
            hook,
            results.ToDictionary(pair => Path.GetFileNameWithoutExtension(pair.Key), pair => pair.Value));
    }

    private void Compile(Dictionary<string, string> results, TargetRuntime runtime, string root)
    {
        string[] missing = [.. results.Keys.Where(path => !File.Exists(results[path]))];
        if (missing.Length == 0)
        {
            return;
        }

        if (!_compilers.TryGetValue(runtime.Version, out Crossgen? compiler))
        {
            compiler = Crossgen.Of(runtime.Version);
            _compilers[runtime.Version] = compiler;
        }

        string references = Path.Combine(root, "references.rsp");
        File.WriteAllLines(references, runtime.Assemblies.Select(path => $"-r:{path}"));
        BatchSummary summary = ProcessBatch.Run(
            missing.Select(path => Item(compiler, path, results[path], references)),
            new BatchOptions { MaxConcurrency = jobs, StopOnInterrupt = true });
        if (summary.StoppedBy == StopCause.Interrupt)
        {
            throw new OperationCanceledException();
        }

        foreach (BatchResult result in summary.Results)
        {
            (string path, string temporary, string target) = ((string, string, string))result.Tag!;
            if (result.Result is { IsSuccess: true } && File.Exists(temporary))
            {
                // Another run may use the file at the same time: it is exchanged whole.
                File.Move(temporary, target, overwrite: true);
            }
            else
            {
                File.Delete(temporary);
                ErrorOutput.Write(
                    $"{Path.GetFileName(path)} is not precompiled: {result.Result}{result.Exception?.Message}");
            }
        }
    }

    private static BatchItem Item(Crossgen compiler, string path, string target, string references)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(target)!);
        string temporary = UserCache.Beside(target);
        return new BatchItem(compiler.Compile(path, temporary, references)) { Tag = (path, temporary, target) };
    }

    private string ResultOf(string path, Version version)
    {
        using FileStream file = File.OpenRead(path);
        string hash = Convert.ToHexStringLower(SHA256.HashData(file).AsSpan(0, 16));
        return Path.Combine(cache, $"{version}-{RuntimeInformation.RuntimeIdentifier}", hash, Path.GetFileName(path));
    }

    private string Keep(string text)
    {
        string hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 16));
        string path = Path.Combine(cache, "dependencies", $"{hash}.deps.json");
        if (!File.Exists(path))
        {
            UserCache.Write(path, text);
        }

        return path;
    }

    /// <summary>Returns whether a file is an assembly that the runtime would have to compile.</summary>
    private static bool IsWithoutMachineCode(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            using PEReader image = new(file);
            return image.PEHeaders.CorHeader is CorHeader header
                && header.Flags.HasFlag(CorFlags.ILOnly)
                && header.ManagedNativeHeaderDirectory.Size == 0;
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            return false;
        }
    }
}
