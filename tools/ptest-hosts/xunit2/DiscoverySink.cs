using System;
using System.Collections.Generic;
using System.Threading;
using Xunit;
using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Collects the tests of one discovery.</summary>
internal sealed class DiscoverySink(List<ITestCase> found) : LongLivedMarshalByRefObject, IMessageSink, IDisposable
{
    private readonly ManualResetEventSlim _ended = new();

    public bool OnMessage(IMessageSinkMessage message)
    {
        if (message is ITestCaseDiscoveryMessage discovery)
        {
            found.Add(discovery.TestCase);
        }
        else if (message is IDiscoveryCompleteMessage)
        {
            _ended.Set();
        }

        return true;
    }

    public void WaitForEnd() => _ended.Wait();

    public void Dispose() => _ended.Dispose();
}
