namespace ProcessRunner.Interop;

/// <summary>Provides the system error codes of Windows that this library distinguishes (winerror.h).</summary>
internal static class Win32Error
{
    public const int ERROR_FILE_NOT_FOUND = 2;
    public const int ERROR_ACCESS_DENIED = 5;
    public const int ERROR_INVALID_HANDLE = 6;
    public const int ERROR_INVALID_PARAMETER = 87;
    public const int ERROR_BROKEN_PIPE = 109;
    public const int ERROR_FILENAME_EXCED_RANGE = 206;
    public const int ERROR_NO_DATA = 232;
    public const int ERROR_PIPE_NOT_CONNECTED = 233;
    public const int ERROR_MORE_DATA = 234;
    public const int ERROR_DIRECTORY = 267;
    public const int ERROR_OPERATION_ABORTED = 995;
    public const int ERROR_IO_PENDING = 997;
}
