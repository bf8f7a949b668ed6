namespace QuickStart;

/// <summary>Represents the result of one child.</summary>
internal readonly record struct ChildReport(int? ExitCode, long OutputBytes, long ErrorBytes)
{
    public long Bytes => OutputBytes + ErrorBytes;

    public bool IsComplete =>
        ExitCode == 0 && OutputBytes == Workload.OutputBytes && ErrorBytes == Workload.ErrorBytes;
}
