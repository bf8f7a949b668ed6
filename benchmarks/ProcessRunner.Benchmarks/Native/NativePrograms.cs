using System;
using System.ComponentModel;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>
/// The programs in C, compiled by the machine's compiler (CC, else cc) when they are first asked for. A file is named
/// after its source, so that a change of the source is compiled again.
/// </summary>
internal static class NativePrograms
{
    private static readonly Lazy<string?> s_floor = new(() => Compiled("floor.c", ["-pthread"]));

    // Static linking is not installed everywhere; it makes the child start faster, not differently.
    private static readonly Lazy<string?> s_child = new(() => Compiled("child.c", ["-static"]) ?? Compiled("child.c", []));

    /// <summary>The reference, or null on a machine without a compiler.</summary>
    public static string? Floor => s_floor.Value;

    /// <summary>The tiny child, or null on a machine without a compiler.</summary>
    public static string? Child => s_child.Value;

    private static string Compiler => Environment.GetEnvironmentVariable("CC") is { Length: > 0 } compiler ? compiler : "cc";

    private static string? Compiled(string source, string[] options)
    {
        string text = Source(source);
        string key = string.Join('\0', [Compiler, text, .. options]);
        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)))[..12];
        string directory = Directory.CreateDirectory(Path.Combine(Repository.Artifacts, "native")).FullName;
        string program = Path.Combine(directory, $"{Path.GetFileNameWithoutExtension(source)}-{digest}");
        return File.Exists(program) || TryCompile(text, options, program) ? program : null;
    }

    private static bool TryCompile(string text, string[] options, string program)
    {
        string temporary = $"{program}.{Environment.ProcessId}";
        ProcessCommand compile = new(Compiler, ["-O2", "-x", "c", .. options, "-o", temporary, "-"])
        {
            StandardInput = InputSource.FromText(text),
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

        // In one step, so that nobody runs half a program.
        File.Move(temporary, program, overwrite: true);
        return true;
    }

    private static string Source(string name)
    {
        using Stream stream = typeof(NativePrograms).Assembly.GetManifestResourceStream(name)!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
