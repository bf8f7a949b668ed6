using System.Collections.Generic;
using ProcessRunner;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>Represents a way to list and to run the tests of an assembly in processes of their own.</summary>
internal abstract class TestHost
{
    /// <summary>Gets or sets the variables that processes have besides those of the runner.</summary>
    public IReadOnlyDictionary<string, string?> Variables { get; set; } = new Dictionary<string, string?>();

    /// <summary>Gets the name for people.</summary>
    public abstract string Name { get; }

    /// <summary>Gets whether a process can run some tests of an assembly, and not only all of them.</summary>
    public virtual bool CanSelect => true;

    /// <summary>
    /// Gets whether a process can die before it has reported the tests that have begun and ended: then only a test that
    /// ran alone is known to be to blame.
    /// </summary>
    public virtual bool ReportsLate => false;

    /// <summary>Gets whether a process looks after each test for processes that the test has left behind.</summary>
    public virtual bool LooksForLeaks => false;

    /// <summary>Gets whether a process marks in its standard streams where a test has ended.</summary>
    public virtual bool MarksOutput => false;

    /// <summary>
    /// Gets whether a process reports when the first collection of tests begins, before its fixtures.
    /// </summary>
    public virtual bool ReportsCollections => false;

    /// <summary>Returns whether a descendant of a process runs the tests in its place.</summary>
    /// <param name="commandLine">The command line of the descendant.</param>
    public virtual bool RunsTests(string commandLine) => false;

    /// <summary>Makes the command that lists the tests.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="folder">A folder for files of this process.</param>
    public abstract ProcessCommand List(TestAssembly assembly, WorkFolder folder);

    /// <summary>Makes the command that runs tests.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="tests">The tests.</param>
    /// <param name="isWhole">Whether these are all tests of the assembly, as the framework would run them.</param>
    /// <param name="folder">A folder for files of this process.</param>
    public abstract ProcessCommand Run(
        TestAssembly assembly, IReadOnlyList<TestCase> tests, bool isWhole, WorkFolder folder);

    /// <summary>Makes the events of an ended process that has not written all of them while it ran.</summary>
    public virtual IEnumerable<HostEvent> Complete(
        ProcessResult result, IReadOnlyList<TestCase> tests, WorkFolder folder) => [];

    /// <summary>
    /// Returns whether what the tests came to explains the end of a process that has reported its last event.
    /// </summary>
    /// <param name="result">The end, which no stop has brought about.</param>
    /// <param name="outcomes">The outcomes that the process has reported.</param>
    public abstract bool Explains(ProcessResult result, IReadOnlySet<string> outcomes);

    /// <summary>Takes in the tests of a list, and adds the details that the list lacks.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="found">The tests, each of them once.</param>
    public virtual IReadOnlyList<HostEvent> WithDetails(TestAssembly assembly, IReadOnlyList<HostEvent> found) => found;

    /// <summary>Makes the command of .NET's own program.</summary>
    protected ProcessCommand DotNet(TestAssembly assembly, params IEnumerable<string> arguments) =>
        new ProcessCommand(DotNetProgram.FilePath, arguments) { WorkingDirectory = assembly.Folder }
            .WithEnvironment(Variables);
}
