using System.Runtime.CompilerServices;

namespace ProcessRunner.Interop;

/// <summary>
/// Represents an array of struct epoll_event in native memory. The struct is packed on x64 (12 bytes, data at 4) and
/// aligned everywhere else (16 bytes, data at 8), which one C# struct in a portable assembly cannot express.
/// </summary>
internal readonly unsafe struct EpollEvents
{
    private readonly byte* _first;

    /// <summary>
    /// Wraps the memory at <paramref name="first"/>, which must hold <see cref="Size"/> bytes for each event.
    /// </summary>
    public EpollEvents(byte* first) => _first = first;

    /// <summary>Gets the size of one event in bytes.</summary>
    public static PerArchitecture Size { get; } = new(x64: 12, arm64: 16);

    /// <summary>Gets the offset of the user data in one event.</summary>
    public static PerArchitecture DataOffset { get; } = new(x64: 4, arm64: 8);

    /// <summary>Gets the address that the kernel takes.</summary>
    public void* Address => _first;

    /// <summary>Returns the user data of one event.</summary>
    public ulong Data(int index) => Unsafe.ReadUnaligned<ulong>(_first + (index * Size) + DataOffset);

    /// <summary>Fills in one event.</summary>
    public void Set(int index, uint events, ulong data)
    {
        Unsafe.WriteUnaligned(_first + (index * Size), events);
        Unsafe.WriteUnaligned(_first + (index * Size) + DataOffset, data);
    }
}
