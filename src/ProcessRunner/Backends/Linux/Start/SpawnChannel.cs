namespace ProcessRunner.Backends.Linux.Start;

/// <summary>Represents the source of a child's channel: a descriptor of this process above all channels.</summary>
/// <param name="Number">The number that the child gets.</param>
/// <param name="Descriptor">The number of this process's descriptor.</param>
internal readonly record struct SpawnChannel(int Number, int Descriptor);
