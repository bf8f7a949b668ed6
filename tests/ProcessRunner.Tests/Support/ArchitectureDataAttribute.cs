using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using ProcessRunner.TestSupport;
using Xunit.Sdk;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Gives a theory one processor as its argument, which need not be that of this machine. Without the tools for it, the
/// test is skipped with a message.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
internal sealed class ArchitectureDataAttribute : DataAttribute
{
    private readonly Architecture _architecture;

    public ArchitectureDataAttribute(Architecture architecture, params string[] tools)
    {
        _architecture = architecture;
        string[] missing =
            [.. tools.Select(tool => Toolchain.Tool(architecture, tool)).Where(tool => !Toolchain.Has(tool))];
        Skip = missing.Length > 0 ? $"There is no {string.Join(", ", missing)} here." : null;
    }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [[_architecture]];
}
