namespace ProcessRunner.TestChild;

/// <summary>
/// Defines the exit codes that the program chooses itself. All other exit codes come from <c>return</c>.
/// </summary>
internal static class ExitCodes
{
    public const int Success = 0;
    public const int Failure = 1;
    public const int Usage = 2;
    public const int StreamClosed = 3;
}
