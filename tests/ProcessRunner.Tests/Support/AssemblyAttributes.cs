using ProcessRunner.TestSupport.Platforms;
using Xunit;

[assembly: TestFramework(SuiteFramework.TypeName, SuiteFramework.AssemblyName)]
