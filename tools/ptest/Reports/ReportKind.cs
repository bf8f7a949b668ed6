namespace PTest.Reports;

/// <summary>Specifies the format of a report.</summary>
internal enum ReportKind
{
    /// <summary>XML for Jenkins, GitLab and others, as Surefire writes it.</summary>
    JUnit,

    /// <summary>XML for Visual Studio and Azure Pipelines, as VSTest writes it.</summary>
    Trx,

    /// <summary>One page for people.</summary>
    Html,

    /// <summary>A JSON object for each event, a line each, written as it happens.</summary>
    Json,

    /// <summary>Markdown for the summary of a GitHub job.</summary>
    GitHub,

    /// <summary>The processes and tests over time, for Perfetto and Chrome.</summary>
    Trace,
}
