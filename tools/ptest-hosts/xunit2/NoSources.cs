using Xunit;
using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Knows no file and line of a test, for which it would have to read the symbols.</summary>
internal sealed class NoSources : LongLivedMarshalByRefObject, ISourceInformationProvider
{
    public ISourceInformation? GetSourceInformation(ITestCase testCase) => null;

    public void Dispose()
    {
    }
}
