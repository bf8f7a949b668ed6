namespace PTest.Running;

/// <summary>Specifies what a dump of a hanging process holds.</summary>
internal enum DumpKind
{
    None,
    Triage,
    Heap,
}
