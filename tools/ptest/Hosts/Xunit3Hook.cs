namespace PTest.Hosts;

/// <summary>Runs the tests of xunit v3.</summary>
internal sealed class Xunit3Hook : HookHost
{
    public override string Name => "xunit v3";

    protected override string HookFile => "ptest.xunit3.dll";
}
