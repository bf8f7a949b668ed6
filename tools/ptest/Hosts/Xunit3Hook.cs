using System.Reflection;

namespace PTest.Hosts;

/// <summary>Runs the tests of xunit v3.</summary>
internal sealed class Xunit3Hook : HookHost
{
    public override string Name => "xunit v3";

    protected override string HookFile => "ptest.xunit3.dll";

    protected override AssemblyName OldestFramework => new("xunit.v3.core, Version=2.0.3.0");
}
