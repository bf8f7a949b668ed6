using System.Diagnostics;
using System.Threading;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>
/// Counts the results of children that end on any thread, and records when each tenth of them has ended.
/// </summary>
internal sealed class Tally(int children)
{
    private readonly long[] _tenths = new long[11];
    private readonly int _tenth = children / 10;
    private int _ended;
    private int _failures;
    private long _bytes;

    public int Ended => Volatile.Read(ref _ended);

    /// <summary>Gets the number of children with a wrong exit code or a wrong number of bytes.</summary>
    public int Failures => Volatile.Read(ref _failures);

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Marks the moment before the start of the first child.</summary>
    public void Begin() => _tenths[0] = Stopwatch.GetTimestamp();

    public void Add(ChildJob job, ChildReport report)
    {
        Interlocked.Add(ref _bytes, report.OutputBytes + report.ErrorBytes);
        if (!job.IsFulfilledBy(report))
        {
            Interlocked.Increment(ref _failures);
        }

        int count = Interlocked.Increment(ref _ended);
        if (_tenth > 0 && count % _tenth == 0 && count / _tenth < _tenths.Length)
        {
            _tenths[count / _tenth] = Stopwatch.GetTimestamp();
        }
    }

    /// <summary>
    /// Gets the microseconds per child in one tenth of the children, from 1 to 10; null with fewer than ten children.
    /// </summary>
    public double? MicrosecondsInTenth(int number) =>
        _tenth == 0
            ? null
            : Stopwatch.GetElapsedTime(_tenths[number - 1], _tenths[number]).TotalMicroseconds / _tenth;
}
