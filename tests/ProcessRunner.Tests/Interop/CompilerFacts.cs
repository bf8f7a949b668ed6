using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Interop;

/// <summary>
/// Asks a C compiler for names, sizes and offsets. The compiler puts them as data into a file that is only read, never
/// executed, so that it can be the compiler for another processor.
/// </summary>
internal static class CompilerFacts
{
    private static readonly string[] s_headers =
    [
        "stddef.h", "dirent.h", "errno.h", "fcntl.h", "poll.h", "pwd.h", "sched.h", "signal.h", "spawn.h", "unistd.h",
        "sys/epoll.h", "sys/eventfd.h", "sys/ioctl.h", "sys/mman.h", "sys/prctl.h", "sys/resource.h", "sys/stat.h",
        "sys/syscall.h", "sys/uio.h", "sys/wait.h",
    ];

    /// <summary>
    /// Gets the values of C expressions. Omits a name that is newer than the headers of this C library and therefore
    /// undefined.
    /// </summary>
    public static IReadOnlyDictionary<string, long> Ask(Architecture architecture, IEnumerable<string> expressions)
    {
        string[] asked = [.. expressions];
        using TemporaryDirectory directory = new();
        string source = directory.File("facts.c", Program(asked));
        string compiled = directory.At("facts.o");
        string data = directory.At("facts");
        new ProcessCommand(Toolchain.Tool(architecture, "gcc"), "-c", "-o", compiled, source).Run().EnsureSuccess();
        new ProcessCommand(
            Toolchain.Tool(architecture, "objcopy"), "-O", "binary", "-j", ".facts", compiled, data)
            .Run().EnsureSuccess();
        return MemoryMarshal.Cast<byte, (long Index, long Value)>(File.ReadAllBytes(data)).ToArray()
            .ToDictionary(fact => asked[fact.Index], fact => fact.Value);
    }

    private static string Program(string[] expressions)
    {
        IEnumerable<string> includes = s_headers.Select(header => $"#include <{header}>");
        return $$"""
            #define _GNU_SOURCE
            {{string.Join('\n', includes)}}
            #ifndef P_PIDFD
            #define P_PIDFD 3
            #endif
            __attribute__((section(".facts"), used)) static const long long facts[][2] =
            {
            {{string.Join('\n', expressions.Select(Pair))}}
            };
            """;
    }

    // The preprocessor can test a macro; an enumerator cannot be tested and is written as an expression.
    private static string Pair(string expression, int index)
    {
        string pair = $"{{ {index}, (long long)({expression}) }},";
        bool isMacro = expression.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
        return isMacro ? $"#ifdef {expression}\n{pair}\n#endif" : pair;
    }
}
