using System.IO;

namespace ProcessRunner.TestSupport;

/// <summary>Reads files of processes and threads in <c>/proc</c>, which vanish with them.</summary>
public static class ProcFile
{
    /// <summary>Reads a file of <c>/proc</c>; returns an empty text if its process or thread has ended.</summary>
    public static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            // The process or thread ended between the listing and the reading.
            return "";
        }
    }
}
