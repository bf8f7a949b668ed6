using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the low descriptor numbers that an engine reserves for starts beside thousands of descriptors: a child
/// copies this process's table up to the highest number that it needs, and the kernel gives a new pipe the lowest free
/// number. Each reserved number is the null device until a start makes it a copy of one of its own descriptors. The
/// numbers are taken while plenty is free, and given up for good when none is. If no low number was free, the next
/// attempt follows the first start that is given low numbers again.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards all state and is acquired inside no other lock. A start that has rented three numbers has
/// exclusive use of them.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LowDescriptorPool : IDisposable
{
    // The number of concurrent starts served; further starts go without. A start never waits for another, which can
    // hang in the file system.
    private const int ConcurrentStarts = 8;

    // The first start takes the numbers for one start, because by the next one the table may have grown beyond all low
    // numbers. The others are taken once a start needs a number from this one on. Below it, copying the table costs
    // less than avoiding the copy, and reserving more numbers could make the table grow.
    private const int ReserveFrom = 256;

    // Higher numbers are not worth reserving.
    private const int HighestUseful = 1023;

    // The count of numbers that must be free.
    private const int MinimumFree = 256;

    private readonly int _nullDevice;
    private readonly object _gate = new();

    // Room for all of them, so that returning takes no memory.
    private readonly Stack<Lease> _free = new(ConcurrentStarts);

    // Lets starts that need no low number return without the lock.
    private volatile bool _isPrepared;
    private int _taken;
    private bool _hasFailed;
    private bool _isGivenUp;

    /// <param name="nullDevice">The descriptor of the null device.</param>
    public LowDescriptorPool(int nullDevice) => _nullDevice = nullDevice;

    /// <summary>Rents three numbers until <see cref="Lease.Return"/>.</summary>
    /// <param name="highest">The highest number that a start needs now.</param>
    /// <param name="given">
    /// The number that the kernel gave to a pipe of this start; <see cref="int.MaxValue"/> if it has none. A low one
    /// shows that low numbers are free, even where the null device has a high one for good.
    /// </param>
    /// <returns>Null if <paramref name="highest"/> is low enough, or if no numbers are available.</returns>
    public Lease? RentFor(int highest, int given)
    {
        bool isHigh = highest >= ReserveFrom;
        if (!isHigh && _isPrepared)
        {
            return null;
        }

        using (Uninterruptible.Lock(_gate))
        {
            _hasFailed &= isHigh && given >= ReserveFrom;
            _isPrepared |= !isHigh;
            int wanted = isHigh ? ConcurrentStarts : 1;
            if (_taken < wanted && !_hasFailed && !_isGivenUp && IsEnoughFree(highest))
            {
                TakeUpTo(wanted);
                _hasFailed = _taken < wanted;
                _isPrepared &= !_hasFailed;
            }

            return isHigh && _free.TryPop(out Lease? lease) ? lease : null;
        }
    }

    /// <summary>
    /// Closes the reserved numbers for good, because no number is free. Rented numbers are closed when they are
    /// returned.
    /// </summary>
    /// <returns>False if there was nothing to close now.</returns>
    public bool GiveUp()
    {
        using (Uninterruptible.Lock(_gate))
        {
            bool hasAny = _free.Count > 0;
            _isGivenUp = true;
            while (_free.TryPop(out Lease? lease))
            {
                lease.Close();
            }

            return hasAny;
        }
    }

    /// <summary>Closes the reserved numbers. Rented numbers are closed when they are returned.</summary>
    public void Dispose() => GiveUp();

    private static bool IsEnoughFree(int highest) => LibC.SoftLimitOf(LibC.RLIMIT_NOFILE) - highest >= MinimumFree;

    private void TakeUpTo(int count)
    {
        while (_taken < count)
        {
            Lease lease = new(this);
            if (!lease.TryTake())
            {
                lease.Close();
                return;
            }

            _free.Push(lease);
            _taken++;
        }
    }

    private void Return(Lease lease, bool isWhole)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (isWhole && !_isGivenUp)
            {
                _free.Push(lease);
            }
            else
            {
                lease.Close();
                _taken--;
            }
        }
    }

    /// <summary>Represents the numbers of one start.</summary>
    public sealed class Lease(LowDescriptorPool owner)
    {
        private readonly OwnedDescriptor[] _numbers = new OwnedDescriptor[3];
        private readonly bool[] _isUsed = new bool[3];

        /// <summary>Makes one of the numbers a copy of a descriptor.</summary>
        /// <param name="index">The index of the number.</param>
        /// <param name="descriptor">The descriptor to copy.</param>
        /// <returns>The number to use: the descriptor's own if that is low enough, or if it cannot be copied.</returns>
        public int Hold(int index, int descriptor)
        {
            int number = _numbers[index].Number;
            if (descriptor < number || LibC.Duplicate(descriptor, number, LibC.O_CLOEXEC) < 0)
            {
                return descriptor;
            }

            _isUsed[index] = true;
            return number;
        }

        /// <summary>Returns the numbers, which stand for no descriptor any longer.</summary>
        public void Return()
        {
            bool isWhole = true;
            for (int i = 0; i < _numbers.Length; i++)
            {
                if (_isUsed[i])
                {
                    isWhole &= LibC.Duplicate(owner._nullDevice, _numbers[i].Number, LibC.O_CLOEXEC) >= 0;
                    _isUsed[i] = false;
                }
            }

            owner.Return(this, isWhole);
        }

        /// <summary>Takes the numbers.</summary>
        /// <returns>False if the numbers are not available, or not low enough.</returns>
        public bool TryTake()
        {
            try
            {
                for (int i = 0; i < _numbers.Length; i++)
                {
                    int result = LibC.Fcntl(owner._nullDevice, LibC.F_DUPFD_CLOEXEC, 3);
                    _numbers[i] = OwnedDescriptor.From(result, "fcntl");
                }

                return _numbers[^1].Number <= HighestUseful;
            }
            catch (Win32Exception)
            {
                return false;
            }
        }

        /// <summary>Closes the numbers that were taken.</summary>
        public void Close()
        {
            for (int i = 0; i < _numbers.Length; i++)
            {
                _numbers[i].Close();
            }
        }
    }
}
