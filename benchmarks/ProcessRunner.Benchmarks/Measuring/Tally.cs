using System.Diagnostics;
using System.Threading;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Counts what the children did while they end on any thread, and when each tenth of them had ended.</summary>
internal sealed class Tally(int children)
{
    private readonly long[] _tenths = new long[11];
    private readonly int _tenth = children / 10;
    private int _ended;
    private int _failures;
    private long _bytes;

    public int Ended => Volatile.Read(ref _ended);

    /// <summary>Children with a wrong exit code or a wrong number of bytes.</summary>
    public int Failures => Volatile.Read(ref _failures);

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The first child is about to start.</summary>
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

    /// <summary>Microseconds a child in one tenth of them, from 1 to 10; null if there are fewer than ten.</summary>
    public double? MicrosecondsInTenth(int number) =>
        _tenth == 0
            ? null
            : Stopwatch.GetElapsedTime(_tenths[number - 1], _tenths[number]).TotalMicroseconds / _tenth;
}
