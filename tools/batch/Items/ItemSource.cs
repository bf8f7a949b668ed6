using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Batch.CommandLine;

namespace Batch.Items;

/// <summary>Provides the items: from the command line, a file or standard input.</summary>
internal static class ItemSource
{
    /// <summary>Opens the source now and reads it on demand.</summary>
    /// <exception cref="UsageException">The file cannot be opened.</exception>
    public static IEnumerable<string> Open(Settings settings)
    {
        IEnumerable<string> items = settings.Items ?? Reader(settings).Records();
        return settings.SkipsEmpty ? items.Where(item => !string.IsNullOrWhiteSpace(item)) : items;
    }

    private static RecordReader Reader(Settings settings)
    {
        byte separator = settings.IsNullSeparated ? (byte)0 : (byte)'\n';
        if (settings.ArgumentFile is not null and not "-")
        {
            return new RecordReader(OpenFile(settings.ArgumentFile), separator, $"'{settings.ArgumentFile}'");
        }

        if (!Console.IsInputRedirected)
        {
            Console.Error.WriteLine("batch: reading items from the terminal, one per line; Ctrl-D ends them.");
        }

        return new RecordReader(Console.OpenStandardInput(), separator, "standard input");
    }

    private static FileStream OpenFile(string path)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"--arg-file: '{path}' is a directory; name a file with one item per line.");
        }

        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--arg-file: {exception.Message}");
        }
    }
}
