namespace PTest.Hosts;

/// <summary>Runs the tests of xunit 2.</summary>
internal sealed class Xunit2Hook : HookHost
{
    public override string Name => "xunit 2";

    protected override string HookFile => "ptest.xunit2.dll";
}
