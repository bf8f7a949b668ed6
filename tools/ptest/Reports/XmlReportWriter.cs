using System;
using System.IO;
using System.Text;
using System.Xml;

namespace PTest.Reports;

/// <summary>Writes XML. The file can be read, no matter how a test is named or what it has printed.</summary>
internal sealed class XmlReportWriter(Stream stream, string? space = null) : IDisposable
{
    private readonly XmlWriter _writer = XmlWriter.Create(
        stream,
        new XmlWriterSettings { Indent = true, Encoding = new UTF8Encoding(false), NewLineChars = "\n" });

    /// <summary>Writes an element.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="attributes">Its attributes; those that are null are left out.</param>
    /// <param name="content">Writes what it holds.</param>
    public void Element(string name, (string Name, string? Value)[] attributes, Action? content = null)
    {
        _writer.WriteStartElement(name, space);
        foreach ((string attribute, string? value) in attributes)
        {
            if (value is not null)
            {
                _writer.WriteAttributeString(attribute, ReportText.Valid(value));
            }
        }

        content?.Invoke();
        _writer.WriteEndElement();
    }

    /// <summary>Writes an element that holds a text only; none without a text.</summary>
    public void Text(string name, string? text, params (string Name, string? Value)[] attributes)
    {
        if (!string.IsNullOrEmpty(text))
        {
            Element(name, attributes, () => _writer.WriteString(ReportText.Valid(text)));
        }
    }

    public void Dispose() => _writer.Dispose();
}
