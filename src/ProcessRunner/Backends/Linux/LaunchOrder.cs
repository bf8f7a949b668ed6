using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>What a child is started from.</summary>
/// <param name="Command">The program to run.</param>
/// <param name="Inherited">The environment to inherit, if the command does; the one of the start's moment if null.</param>
/// <param name="Slot">What the child is told of its batch.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct LaunchOrder(ProcessCommand Command, LinuxEnvironment? Inherited, SlotVariable Slot);
