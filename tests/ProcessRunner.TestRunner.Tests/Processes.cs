using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner.TestSupport;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Finds processes by their command lines.</summary>
internal static class Processes
{
    /// <summary>Gets the ids of the live processes whose command line or environment has a text.</summary>
    public static IReadOnlyList<int> With(string text) =>
    [
        .. ProcFs.All()
            .Where(process => process.State is not ('Z' or 'X'))
            .Select(process => process.Id)
            .Where(id => Read($"/proc/{id}/cmdline").Contains(text) || Read($"/proc/{id}/environ").Contains(text)),
    ];

    /// <summary>Gets those of a run, whose environment names its folder. Other tests start the same programs.</summary>
    public static IReadOnlyList<int> With(string text, TemporaryFolder folder) =>
        [.. With(text).Where(id => Read($"/proc/{id}/environ").Contains(folder.Path))];

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path).Replace('\0', ' ');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
