using System;
using System.IO;
using System.Linq;
using Xunit;

namespace ProcessRunner.HostileTests;

// Takes the names of the files that the runner makes for further processes, if it is asked to.
public sealed class TakenFilesTests
{
    [Fact]
    public void TakesThemAndFails()
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_TAKE") is not null)
        {
            foreach (string folder in Directory.GetDirectories(Path.GetTempPath(), "ptest-*"))
            {
                foreach (int number in Enumerable.Range(1, 9))
                {
                    File.AppendAllText(Path.Combine(folder, $"{number}.job"), "");
                }
            }

            Assert.Fail("on purpose");
        }
    }
}
