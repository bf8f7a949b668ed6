using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Low descriptor numbers of an engine, kept for starts beside thousands of descriptors: a child copies our table up to the
/// highest number that it needs, and the kernel gives a new pipe the lowest that is free. Each is the null device until a start
/// lends it one of its descriptors.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything; taken inside no other lock. Whoever has rented three numbers is alone with them.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class NearDescriptors : IDisposable
{
    // As many starts at once; more go without. Nobody waits, since a start can hang in the file system.
    private const int Starts = 8;

    // The numbers are taken when this one comes up: below it a copy costs less than to avoid it.
    private const int Near = 256;

    // Whoever starts the first child beside more than these has no low number left to keep.
    private const int Far = 1024;

    private readonly int _nullDevice;
    private readonly object _gate = new();
    private readonly Stack<Three> _free = new();
    private bool _isTaken;
    private bool _isDisposed;

    /// <param name="nullDevice">The descriptor of the null device.</param>
    public NearDescriptors(int nullDevice) => _nullDevice = nullDevice;

    /// <summary>Lends three numbers, until <see cref="Three.Return"/>.</summary>
    /// <param name="highest">The highest number that a start needs now.</param>
    /// <returns>Null if that is low enough, or if there are none.</returns>
    public Three? RentFor(int highest)
    {
        if (highest < Near)
        {
            return null;
        }

        using (Uninterruptible.Lock(_gate))
        {
            if (!_isTaken)
            {
                _isTaken = true;
                if (highest < Far)
                {
                    TakeAll();
                }
            }

            return _free.TryPop(out Three? three) ? three : null;
        }
    }

    /// <summary>Closes those that are not lent; the others are closed when they are given back.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isTaken = true;
            _isDisposed = true;
            while (_free.TryPop(out Three? three))
            {
                three.Close();
            }
        }
    }

    private void TakeAll()
    {
        for (int i = 0; i < Starts; i++)
        {
            Three three = new(this);
            if (!three.TryTake())
            {
                three.Close();
                return;
            }

            _free.Push(three);
        }
    }

    private void Return(Three three, bool isWhole)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (isWhole && !_isDisposed)
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
        /// <returns>False if they are not to be had.</returns>
        public bool TryTake()
        {
            try
            {
                for (int i = 0; i < _numbers.Length; i++)
                {
                    int result = LibC.Fcntl(owner._nullDevice, LibC.F_DUPFD_CLOEXEC, 3);
                    _numbers[i] = OwnedDescriptor.From(result, "fcntl");
                }

                return true;
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
