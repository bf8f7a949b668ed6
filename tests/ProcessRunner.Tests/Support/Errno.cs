namespace ProcessRunner.Tests.Support;

/// <summary>Defines error numbers of Linux, deliberately a second time (errno(3)).</summary>
internal static class Errno
{
    public const int NoSuchFile = 2;
    public const int InputOutput = 5;
    public const int TooBig = 7;
    public const int ExecFormat = 8;
    public const int OutOfMemory = 12;
    public const int AccessDenied = 13;
    public const int NotADirectory = 20;
    public const int TooManyOpenFiles = 24;
    public const int TextBusy = 26;
    public const int NameTooLong = 36;
    public const int TooManyLinks = 40;
}
