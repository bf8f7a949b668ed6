using System.Reflection;

namespace PTest.Hosts;

/// <summary>Runs the tests of xunit 2.</summary>
internal sealed class Xunit2Hook : HookHost
{
    /// <summary>The file that a project with this framework has.</summary>
    public const string FrameworkFile = "xunit.execution.dotnet.dll";

    public override string Name => "xunit 2";

    protected override string HookFile => "ptest.xunit2.dll";

    protected override AssemblyName OldestFramework => new("xunit.execution.dotnet, Version=2.4.0.0");
}
