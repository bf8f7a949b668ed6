using Xunit;

namespace ProcessRunner.TestSupport;

/// <summary>Marks a theory that needs a <see cref="Right"/>. Without the right it is skipped with a message.</summary>
public sealed class TheoryWithRightAttribute : TheoryAttribute
{
    public TheoryWithRightAttribute(string right) => Skip = Right.Obstacle(right);
}
