using System;
using System.IO;

namespace PTest.Output;

/// <summary>Writes what went wrong to the standard error.</summary>
internal static class ErrorOutput
{
    /// <summary>Writes a message.</summary>
    public static void Write(string message)
    {
        try
        {
            Console.Error.WriteLine($"ptest: {message}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The exit code is all that is left to report it.
        }
    }
}
