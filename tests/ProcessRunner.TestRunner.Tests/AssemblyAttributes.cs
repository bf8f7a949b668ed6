using ProcessRunner.TestSupport.Platforms;
using Xunit;

// The tests set limits of the process-wide ThreadPool and count the threads and descriptors of the process.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
[assembly: TestFramework(SuiteFramework.TypeName, SuiteFramework.AssemblyName)]
