using System;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>Names operating systems on which a test can hold.</summary>
[Flags]
public enum Systems
{
    None = 0,
    Linux = 1,
    MacOS = 2,
    Windows = 4,
    Unix = Linux | MacOS,
    All = Unix | Windows,
}
