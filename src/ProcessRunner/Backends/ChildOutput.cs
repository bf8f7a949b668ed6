namespace ProcessRunner.Backends;

/// <summary>Specifies an output of a child by its number: 1, 2, or a channel from 3 on.</summary>
internal enum ChildOutput
{
    Output = 1,
    Error = 2,
}
