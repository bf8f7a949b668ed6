using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Low descriptor numbers of an engine, kept for starts beside thousands of descriptors: a child copies our table up to the
/// highest number that it needs, and the kernel gives a new pipe the lowest that is free. Each is the null device until a start
/// lends it one of its descriptors. They are taken while plenty is free, and given up for good when nothing is. Where none is low
/// any more they are asked for again after a start that was.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything; taken inside no other lock. Whoever has rented three numbers is alone with them.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class NearDescriptors : IDisposable
{
    // As many starts at once; more go without. Nobody waits, since a start can hang in the file system.
    private const int Starts = 8;

    // Those of one start are taken with the first one, lest the table has grown beyond all that is low by the next; the others
    // when this number comes up. Below it a copy costs less than to avoid it, and more of them could have the table grow.
    private const int Near = 256;

    // A number is not worth to be kept from here on.
    private const int Far = 1024;

    // So many numbers must be free.
    private const int Plenty = 256;

    private readonly int _nullDevice;
    private readonly object _gate = new();
    private readonly Stack<Three> _free = new();

    // A start that needs no low number has nothing to do here.
    private volatile bool _isPrepared;
    private int _taken;
    private bool _hasFailed;
    private bool _isGivenUp;

    /// <param name="nullDevice">The descriptor of the null device.</param>
    public NearDescriptors(int nullDevice) => _nullDevice = nullDevice;

    /// <summary>Lends three numbers, until <see cref="Three.Return"/>.</summary>
    /// <param name="highest">The highest number that a start needs now.</param>
    /// <returns>Null if that is low enough, or if there are none.</returns>
    public Three? RentFor(int highest)
    {
        bool isFar = highest >= Near;
        if (!isFar && _isPrepared)
        {
            return null;
        }

        using (Uninterruptible.Lock(_gate))
        {
            // What was not to be had beyond them can be had now.
            _hasFailed &= isFar;
            _isPrepared |= !isFar;
            int wanted = isFar ? Starts : 1;
            if (_taken < wanted && !_hasFailed && !_isGivenUp && IsPlentyFree(highest))
            {
                TakeUpTo(wanted);
                _hasFailed = _taken < wanted;
                _isPrepared &= !_hasFailed;
            }

            return isFar && _free.TryPop(out Three? three) ? three : null;
        }
    }

    /// <summary>Closes them for good, because no number is free; those that are lent, when they are given back.</summary>
    /// <returns>False if none was left to be closed now.</returns>
    public bool GiveUp()
    {
        using (Uninterruptible.Lock(_gate))
        {
            bool hasAny = _free.Count > 0;
            _isGivenUp = true;
            while (_free.TryPop(out Three? three))
            {
                three.Close();
            }

            return hasAny;
        }
    }

    /// <inheritdoc cref="GiveUp"/>
    public void Dispose() => GiveUp();

    private static unsafe bool IsPlentyFree(int highest)
    {
        LibC.ResourceLimit limit;
        return LibC.GetResourceLimit(LibC.RLIMIT_NOFILE, &limit) == 0
            && (limit.rlim_cur == LibC.RLIM_INFINITY || limit.rlim_cur - highest >= Plenty);
    }

    private void TakeUpTo(int count)
    {
        while (_taken < count)
        {
            Three three = new(this);
            if (!three.TryTake())
            {
                three.Close();
                return;
            }

            _free.Push(three);
            _taken++;
        }
    }

    private void Return(Three three, bool isWhole)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (isWhole && !_isGivenUp)
            {
                _free.Push(three);
            }
            else
            {
                three.Close();
            }
        }
    }

    /// <summary>The numbers for one start.</summary>
    public sealed class Three(NearDescriptors owner)
    {
        private readonly OwnedDescriptor[] _numbers = new OwnedDescriptor[3];
        private readonly bool[] _isUsed = new bool[3];

        /// <summary>Makes one of the numbers stand for a descriptor.</summary>
        /// <param name="index">Which one.</param>
        /// <param name="descriptor">The descriptor.</param>
        /// <returns>The number to use: the descriptor's own if that is low enough, or if it cannot be had.</returns>
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

        /// <summary>Gives them back; they stand for nothing any more.</summary>
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
        /// <returns>False if they are not to be had, or not low enough.</returns>
        public bool TryTake()
        {
            try
            {
                for (int i = 0; i < _numbers.Length; i++)
                {
                    int result = LibC.Fcntl(owner._nullDevice, LibC.F_DUPFD_CLOEXEC, 3);
                    _numbers[i] = OwnedDescriptor.From(result, "fcntl");
                }

                return _numbers[^1].Number < Far;
            }
            catch (Win32Exception)
            {
                return false;
            }
        }

        /// <summary>Closes what was taken.</summary>
        public void Close()
        {
            for (int i = 0; i < _numbers.Length; i++)
            {
                _numbers[i].Close();
            }
        }
    }
}
