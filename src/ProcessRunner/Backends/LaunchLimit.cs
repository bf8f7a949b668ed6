namespace ProcessRunner.Backends;

/// <summary>Describes the limit of a resource; -1 stands for no limit.</summary>
/// <param name="Resource">The resource. The names and values are those of <c>LimitedResource</c>.</param>
/// <param name="Soft">The limit that applies.</param>
/// <param name="Hard">The limit up to which the child may raise the other one.</param>
internal readonly record struct LaunchLimit(LaunchResource Resource, long Soft, long Hard)
{
    public override string ToString() => Soft == Hard ? $"{Resource} {Soft}" : $"{Resource} {Soft}:{Hard}";
}
