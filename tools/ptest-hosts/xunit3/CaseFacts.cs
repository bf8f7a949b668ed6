using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Xunit.Sdk;
using Xunit.v3;

namespace PTest.Hosts;

/// <summary>Reports to the runner what it must know of a test.</summary>
internal static class CaseFacts
{
    /// <summary>Writes a test that was found.</summary>
    /// <param name="test">The test.</param>
    /// <param name="isExclusive">Whether its assembly forbids parallel runs.</param>
    /// <param name="events">Where it goes.</param>
    public static void Write(ITestCase test, bool isExclusive, EventWriter events) => events.Write(
        EventNames.Found,
        test.Traits.ToDictionary(trait => trait.Key, trait => new List<string>(trait.Value)),
        ("case", test.UniqueID),
        ("class", test.TestClassName),
        ("method", test.TestMethodName),
        ("test", test.TestCaseDisplayName),
        ("collection", test.TestCollection.TestCollectionDisplayName),
        ("exclusive", isExclusive || RunsAlone(test) ? "true" : null));

    /// <summary>Gets the full name of the method of a test.</summary>
    public static string MethodOf(ITestCase test) => $"{test.TestClassName}.{test.TestMethodName}";

    /// <summary>Returns whether an assembly wants its collections to run one after another.</summary>
    public static bool ForbidsParallelRuns(Assembly assembly) => assembly.GetCustomAttributes().Any(attribute =>
        (attribute is ICollectionBehaviorAttribute
            && (IsTrue(attribute, "DisableTestParallelization") || Property(attribute, "MaxParallelThreads") is 1))
        || Parallelization(attribute, "GetMode")?.ToString() == "None"
        || Parallelization(attribute, "GetMaxThreads") is 1);

    /// <summary>Calls a method of an attribute that only xunit.v3 4.0 and later have; null of all others.</summary>
    private static object? Parallelization(object attribute, string method) =>
        attribute.GetType().GetInterface("Xunit.v3.IParallelizationAttribute")?.GetMethod(method)
            ?.Invoke(attribute, null);

    private static bool RunsAlone(ITestCase test) =>
        new object?[] { test, test.TestMethod, test.TestClass, test.TestCollection }
            .Any(part => part is not null && IsTrue(part, "DisableParallelization"));

    /// <summary>
    /// Reads a property by its name: xunit.v3 4.0 has moved those of collections to other interfaces, and has given the
    /// same to classes, methods and cases.
    /// </summary>
    private static object? Property(object owner, string name) => owner.GetType().GetProperty(name)?.GetValue(owner);

    private static bool IsTrue(object owner, string property) => Property(owner, property) is true;
}
