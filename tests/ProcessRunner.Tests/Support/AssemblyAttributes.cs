using ProcessRunner.TestSupport.Platforms;
using Xunit;

// Most tests wait for children, so that two processors are not busy with two tests.
[assembly: CollectionBehavior(MaxParallelThreads = 6)]
[assembly: TestFramework(SuiteFramework.TypeName, SuiteFramework.AssemblyName)]
