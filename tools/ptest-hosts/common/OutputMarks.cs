using System;
using System.Globalization;
using System.IO;
using System.Text;

namespace PTest.Hosts;

/// <summary>
/// Writes marks into the standard output and error of this process, by which the runner tells what one test wrote from
/// what the next one did: it reads later than they write. The marks are numbered from 1 on. Safe from any thread.
/// </summary>
internal sealed class OutputMarks : IDisposable
{
    /// <summary>Precedes the number of a mark, which ends the line.</summary>
    public const string Prefix = "\u001eptest-mark ";

    private readonly object _lock = new();

    // Console duplicates the descriptors, so these are the runner's pipes whatever a test does with its own.
    private readonly Stream[] _streams = [Console.OpenStandardOutput(), Console.OpenStandardError()];
    private int _last;

    /// <summary>Writes the next mark.</summary>
    /// <returns>Its number.</returns>
    public string Next()
    {
        lock (_lock)
        {
            string number = (++_last).ToString(CultureInfo.InvariantCulture);
            byte[] mark = Encoding.ASCII.GetBytes($"{Prefix}{number}\n");
            foreach (Stream stream in _streams)
            {
                stream.Write(mark, 0, mark.Length);
            }

            return number;
        }
    }

    public void Dispose() => Array.ForEach(_streams, stream => stream.Dispose());
}
