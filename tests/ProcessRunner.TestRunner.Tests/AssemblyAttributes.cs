using ProcessRunner.TestRunner.Tests;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

// Most of the tests wait for the limits of others. So there are more of them at once than processors, and the longest
// begin first.
[assembly: CollectionBehavior(MaxParallelThreads = 5)]
[assembly: TestCollectionOrderer(LongestFirst.TypeName, LongestFirst.AssemblyName)]
[assembly: TestFramework(SuiteFramework.TypeName, SuiteFramework.AssemblyName)]
