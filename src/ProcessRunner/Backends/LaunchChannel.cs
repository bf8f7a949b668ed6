namespace ProcessRunner.Backends;

/// <summary>Describes a further stream of a child, beside the standard ones.</summary>
/// <param name="Number">The number of the descriptor that the child gets.</param>
/// <param name="Binding">What it is bound to: a pipe or a handle.</param>
internal readonly record struct LaunchChannel(int Number, StreamBinding Binding)
{
    /// <summary>The lowest number of a channel: the standard streams have the numbers below.</summary>
    public const int Lowest = 3;

    /// <summary>The highest number of a channel.</summary>
    public const int Highest = 63;
}
