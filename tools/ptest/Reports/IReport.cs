using System.IO;

namespace PTest.Reports;

/// <summary>Writes what became of a run, once it is over.</summary>
internal interface IReport
{
    /// <summary>Writes the report.</summary>
    void Write(RunRecord run, Stream stream);
}
