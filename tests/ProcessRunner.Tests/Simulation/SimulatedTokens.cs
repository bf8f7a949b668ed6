using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a jobserver with few tokens, which others take and return as well.</summary>
internal sealed class SimulatedTokens(World world) : JobTokens
{
    private int _held;

    public override int Held => _held;

    public override bool TryTake()
    {
        bool isFree = _held < 3 && world.Dice.Percent(60);
        _held += isFree ? 1 : 0;
        return isFree;
    }

    public override bool TryReturn()
    {
        World.Require(_held > 0, "Only a token that was taken is returned.");
        bool hasRoom = world.Dice.Percent(90);
        _held -= hasRoom ? 1 : 0;
        return hasRoom;
    }

    public override void Dispose() => _held = 0;
}
