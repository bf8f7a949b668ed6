using System;
using System.ComponentModel;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>
/// Compiles the programs in C on first use with the machine's compiler (CC, else cc). The name of each file is derived
/// from its source, so that a changed source is compiled again.
/// </summary>
internal static class NativePrograms
{
    private static readonly string s_sources = Path.Combine(Repository.Root, "benchmarks", "floor");

    private static readonly Lazy<string?> s_floor = new(() => Compiled("floor", "-pthread", "floor.c", "loop.c"));

    // Static linking is not installed everywhere. It makes the child start faster, not differently.
    private static readonly Lazy<string?> s_child = new(() =>
        Compiled("child", "-static", "child.c") ?? Compiled("child", "child.c"));

    /// <summary>Gets the path of the reference, or null on a machine without a compiler.</summary>
    public static string? Floor => s_floor.Value;

    /// <summary>Gets the path of the tiny child, or null on a machine without a compiler.</summary>
    public static string? Child => s_child.Value;

    private static string Compiler =>
        Environment.GetEnvironmentVariable("CC") is { Length: > 0 } compiler ? compiler : "cc";

    private static string? Compiled(string name, params string[] arguments)
    {
        string directory = Directory.CreateDirectory(Path.Combine(Repository.Artifacts, "native")).FullName;
        string program = Path.Combine(directory, $"{name}-{Digest(arguments)}");
        return File.Exists(program) || TryCompile(program, arguments) ? program : null;
    }

    private static bool TryCompile(string program, string[] arguments)
    {
        string temporary = $"{program}.{Environment.ProcessId}";
        ProcessCommand compile = new(Compiler, ["-O2", "-o", temporary, .. arguments])
        {
            WorkingDirectory = s_sources,
            Timeout = TimeSpan.FromMinutes(1),
        };
        try
        {
            if (!compile.Run().IsSuccess)
            {
                return false;
            }
        }
        catch (Win32Exception)
        {
            return false;
        }

        // The atomic move prevents that a process runs half a program.
        File.Move(temporary, program, overwrite: true);
        return true;
    }

    private static string Digest(string[] arguments)
    {
        string[] sources = Directory.GetFiles(s_sources);
        string all = string.Join('\0', [Compiler, .. arguments, .. sources.Order().Select(File.ReadAllText)]);
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(all)))[..12];
    }
}
