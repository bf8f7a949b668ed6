using System;
using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the settings that few starts have, with the native memory that the child's calls need. The starter owns
/// it; no finalizer frees it.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SpawnSettings : IDisposable
{
    /// <summary>The largest number of calls that the settings add.</summary>
    public const int MostCalls = 24;

    private readonly int? _nice;
    private readonly int? _fileModeMask;
    private readonly ImmutableArray<LaunchLimit> _limits;
    private readonly LaunchIdentity? _identity;
    private readonly int _maskSize;
    private byte* _mask;
    private LibC.LimitPair* _limitValues;
    private uint* _groups;

    /// <exception cref="LaunchException">There is no such user.</exception>
    private SpawnSettings(ILaunchSettings settings)
    {
        ProcessGroupId = settings.ProcessGroupId;
        _nice = settings.Nice;
        _fileModeMask = settings.FileModeMask;
        _limits = settings.Limits;
        _identity = settings.Identity is LaunchIdentity identity ? UserLookup.Resolve(identity) : null;
        _maskSize = SetMask(settings.Processors);
        SetLimits();
        SetGroups();
    }

    /// <summary>Gets the process group that the child joins, or null.</summary>
    public int? ProcessGroupId { get; }

    /// <summary>Gets whether the child becomes another user.</summary>
    public bool ChangesIdentity => _identity is not null;

    /// <summary>Gets whether the limit of descriptors is set.</summary>
    public bool LimitsDescriptors { get; private set; }

    /// <summary>Gets whether only a child that makes its own system calls can have these settings.</summary>
    public bool NeedClone =>
        _nice is not null || _fileModeMask is not null || _maskSize > 0 || !_limits.IsEmpty || ChangesIdentity;

    /// <summary>Returns the object that a plan needs, or null.</summary>
    /// <exception cref="LaunchException">There is no such user.</exception>
    public static SpawnSettings? For(ILaunchSettings? settings) =>
        settings is not null
        && (settings.Features & ~(LaunchFeatures.ArgumentZero | LaunchFeatures.KillOnParentExit)) != 0
            ? new SpawnSettings(settings)
            : null;

    /// <summary>
    /// Appends the calls that come before the child opens its files. The right to become another user is the last that
    /// it uses.
    /// </summary>
    /// <returns>The address for the next call.</returns>
    public SystemCall* Append(SystemCall* calls)
    {
        if (_nice is int nice)
        {
            *calls++ = SystemCall.SetNice(nice);
        }

        if (_maskSize > 0)
        {
            *calls++ = SystemCall.SetProcessors(_mask, _maskSize);
        }

        if (_fileModeMask is int mask)
        {
            *calls++ = SystemCall.SetFileModeMask(mask);
        }

        for (int i = 0; i < _limits.Length; i++)
        {
            *calls++ = SystemCall.SetLimit(NumberOf(_limits[i].Resource), _limitValues + i);
        }

        if (_identity is LaunchIdentity identity)
        {
            *calls++ = SystemCall.SetGroups(_groups, identity.Groups.Items.Length);
            *calls++ = SystemCall.SetGroupId(identity.GroupId);
            *calls++ = SystemCall.SetUserId(identity.UserId);
        }

        return calls;
    }

    public void Dispose()
    {
        NativeMemory.Free(_mask);
        NativeMemory.Free(_limitValues);
        NativeMemory.Free(_groups);
        _mask = null;
        _limitValues = null;
        _groups = null;
    }

    private static int NumberOf(LaunchResource resource) => resource switch
    {
        LaunchResource.ProcessorTime => LibC.RLIMIT_CPU,
        LaunchResource.FileSize => LibC.RLIMIT_FSIZE,
        LaunchResource.DataSize => LibC.RLIMIT_DATA,
        LaunchResource.StackSize => LibC.RLIMIT_STACK,
        LaunchResource.CoreDumpSize => LibC.RLIMIT_CORE,
        LaunchResource.AddressSpace => LibC.RLIMIT_AS,
        LaunchResource.OpenFiles => LibC.RLIMIT_NOFILE,
        LaunchResource.LockedMemory => LibC.RLIMIT_MEMLOCK,
        _ => LibC.RLIMIT_NPROC,
    };

    // Returns the size of the mask, in bytes: whole words of the kernel.
    private int SetMask(ImmutableArray<int> processors)
    {
        if (processors.IsEmpty)
        {
            return 0;
        }

        int size = ((processors[^1] / 64) + 1) * sizeof(ulong);
        _mask = (byte*)NativeMemory.AllocZeroed((nuint)size);
        foreach (int processor in processors)
        {
            _mask[processor / 8] |= (byte)(1 << (processor % 8));
        }

        return size;
    }

    private void SetLimits()
    {
        if (!_limits.IsEmpty)
        {
            _limitValues = (LibC.LimitPair*)NativeMemory.Alloc(
                (nuint)_limits.Length, (nuint)sizeof(LibC.LimitPair));
            for (int i = 0; i < _limits.Length; i++)
            {
                _limitValues[i] = new LibC.LimitPair { rlim_cur = _limits[i].Soft, rlim_max = _limits[i].Hard };
                LimitsDescriptors |= _limits[i].Resource == LaunchResource.OpenFiles;
            }
        }
    }

    private void SetGroups()
    {
        if (_identity is LaunchIdentity { Groups.Items: { IsEmpty: false } groups })
        {
            _groups = (uint*)NativeMemory.Alloc((nuint)groups.Length, sizeof(uint));
            groups.CopyTo(new Span<uint>(_groups, groups.Length));
        }
    }
}
