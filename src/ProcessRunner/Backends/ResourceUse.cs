using System;

namespace ProcessRunner.Backends;

/// <summary>Describes the resources that the kernel has counted for a child.</summary>
/// <param name="UserTime">The processor time in user mode.</param>
/// <param name="SystemTime">The processor time in the kernel.</param>
/// <param name="PeakWorkingSet">The largest resident set, in bytes.</param>
internal readonly record struct ResourceUse(TimeSpan UserTime, TimeSpan SystemTime, long PeakWorkingSet);
