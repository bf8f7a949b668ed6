namespace ProcessRunner.Backends;

/// <summary>
/// Represents the environment of this process at one moment, in the form in which children receive it. Immutable, so
/// that any number of starts may use it at once.
/// </summary>
internal abstract class InheritedEnvironment;
