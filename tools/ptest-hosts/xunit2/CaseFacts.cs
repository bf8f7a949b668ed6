using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Reports to the runner what it must know of a test.</summary>
internal static class CaseFacts
{
    /// <summary>Writes a test that was found.</summary>
    /// <param name="test">The test.</param>
    /// <param name="isExclusive">Whether its assembly forbids parallel runs.</param>
    /// <param name="events">Where it goes.</param>
    public static void Write(ITestCase test, bool isExclusive, EventWriter events)
    {
        ITestMethod method = test.TestMethod;
        ITestCollection collection = method.TestClass.TestCollection;
        events.Write(
            EventNames.Found,
            test.Traits,
            ("case", test.UniqueID),
            ("class", method.TestClass.Class.Name),
            ("method", method.Method.Name),
            ("test", test.DisplayName),
            ("collection", collection.DisplayName),
            ("exclusive", isExclusive || ForbidsParallelRuns(collection) ? "true" : null));
    }

    /// <summary>Gets the full name of the method of a test.</summary>
    public static string MethodOf(ITestCase test) =>
        $"{test.TestMethod.TestClass.Class.Name}.{test.TestMethod.Method.Name}";

    /// <summary>Returns whether an assembly wants its collections to run one after another.</summary>
    public static bool ForbidsParallelRuns(IAssemblyInfo assembly) =>
        assembly.GetCustomAttributes(typeof(CollectionBehaviorAttribute)).FirstOrDefault()
            is IAttributeInfo behavior
        && (behavior.GetNamedArgument<bool>("DisableTestParallelization")
            || behavior.GetNamedArgument<int>("MaxParallelThreads") == 1);

    private static bool ForbidsParallelRuns(ITestCollection collection) =>
        collection.CollectionDefinition?.GetCustomAttributes(typeof(CollectionDefinitionAttribute)).FirstOrDefault()
            is IAttributeInfo definition && definition.GetNamedArgument<bool>("DisableParallelization");
}
