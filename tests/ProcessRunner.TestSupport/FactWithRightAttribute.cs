using Xunit;

namespace ProcessRunner.TestSupport;

/// <summary>Marks a fact that needs a <see cref="Right"/>. Without the right it is skipped with a message.</summary>
public sealed class FactWithRightAttribute : FactAttribute
{
    public FactWithRightAttribute(string right) => Skip = Right.Obstacle(right);
}
