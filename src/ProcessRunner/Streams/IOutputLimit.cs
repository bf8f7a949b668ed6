namespace ProcessRunner.Streams;

/// <summary>Who stops a child that has written more than it may.</summary>
internal interface IOutputLimit
{
    /// <summary>Called once, with the child's gate held.</summary>
    void OnExceeded();
}
