
namespace ProcessRunner.Backends.Reactors;

/// <summary>
/// Provides access to the 64 bits that the system returns with an event: the generation of the slot (32 bits), the slot
/// (25 bits) and the source of the event (7 bits).
/// </summary>
internal static class EventToken
{
    private const int SourceBits = 7;
    private const int GenerationShift = 32;

    public static ulong Of(int slot, uint generation) =>
        ((ulong)generation << GenerationShift) | ((ulong)(uint)slot << SourceBits);

    public static ulong With(ulong token, EventPart source) => token | (ulong)source;

    public static int Slot(ulong token) => (int)((uint)token >> SourceBits);

    public static uint Generation(ulong token) => (uint)(token >> GenerationShift);

    public static EventPart Source(ulong token) => (EventPart)(token & ((1 << SourceBits) - 1));
}
