using Xunit;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Marks a fact that needs a program of the machine. Without the program the test is skipped with a message.
/// </summary>
public sealed class FactWithToolAttribute : FactAttribute
{
    public FactWithToolAttribute(string tool) => Skip = Toolchain.Has(tool) ? null : $"There is no {tool} here.";
}
