namespace ProcessRunner.Interop;

/// <summary>Provides the system error codes of Windows that this library distinguishes (winerror.h).</summary>
internal static class Win32Error
{
    public const int ERROR_FILE_NOT_FOUND = 2;
    public const int ERROR_PATH_NOT_FOUND = 3;
    public const int ERROR_TOO_MANY_OPEN_FILES = 4;
    public const int ERROR_ACCESS_DENIED = 5;
    public const int ERROR_INVALID_HANDLE = 6;
    public const int ERROR_NOT_ENOUGH_MEMORY = 8;
    public const int ERROR_OUTOFMEMORY = 14;
    public const int ERROR_SHARING_VIOLATION = 32;
    public const int ERROR_NOT_SUPPORTED = 50;
    public const int ERROR_INVALID_PARAMETER = 87;
    public const int ERROR_INVALID_NAME = 123;
    public const int ERROR_BAD_EXE_FORMAT = 193;
    public const int ERROR_FILENAME_EXCED_RANGE = 206;
    public const int ERROR_EXE_MACHINE_TYPE_MISMATCH = 216;
    public const int ERROR_MORE_DATA = 234;
    public const int ERROR_DIRECTORY = 267;
    public const int ERROR_ELEVATION_REQUIRED = 740;
    public const int ERROR_INTERNAL_ERROR = 1359;
    public const int ERROR_NO_SYSTEM_RESOURCES = 1450;
    public const int ERROR_COMMITMENT_LIMIT = 1455;
    public const int ERROR_NOT_ENOUGH_QUOTA = 1816;
}
