using System.Collections.Generic;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Represents what is known of a test: from its listing to its verdict, which it gets once.</summary>
internal sealed class CaseState(TestCase test)
{
    public TestCase Test { get; } = test;

    public bool IsSettled { get; set; }

    public int Attempts { get; set; }

    public int Retries { get; set; }

    /// <summary>Gets or sets the rows of the first failure.</summary>
    public IReadOnlyList<TestRow>? FirstFailure { get; set; }

    /// <summary>Gets or sets the tests that ran in the process of a failure among others, this one last.</summary>
    public IReadOnlyList<TestCase>? Company { get; set; }

    /// <summary>Gets or sets the rows of the run without company.</summary>
    public IReadOnlyList<TestRow>? Alone { get; set; }

    /// <summary>Gets or sets the rows that become the verdict once it is known who left a process behind.</summary>
    public IReadOnlyList<TestRow>? Held { get; set; }
}
