namespace ProcessRunner.Backends;

/// <summary>
/// The environment of this process at one moment, in the form in which children are given it. Immutable, so that any
/// number of starts may use it at once.
/// </summary>
internal abstract class InheritedEnvironment;
