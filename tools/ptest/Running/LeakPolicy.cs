namespace PTest.Running;

/// <summary>Specifies what a test is worth that leaves processes behind.</summary>
internal enum LeakPolicy
{
    Warn,
    Fail,
    Ignore,
}
