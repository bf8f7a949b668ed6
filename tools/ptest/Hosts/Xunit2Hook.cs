using System.Reflection;

namespace PTest.Hosts;

/// <summary>Runs the tests of xunit 2.</summary>
internal sealed class Xunit2Hook : HookHost
{
    public override string Name => "xunit 2";

    protected override string HookFile => "ptest.xunit2.dll";

    protected override AssemblyName OldestFramework => new("xunit.execution.dotnet, Version=2.4.0.0");
}
