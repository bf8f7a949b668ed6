using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace PublicDocs;

/// <summary>
/// Keeps the documentation of the members that a user of an assembly can see: <c>ASSEMBLY XML</c>. The compiler writes
/// that of all members, and has no option for it.
/// </summary>
internal static class Program
{
    public static void Main(string[] arguments)
    {
        Assembly assembly = AssemblyLoadContext.Default.LoadFromAssemblyPath(Path.GetFullPath(arguments[0]));
        HashSet<string> visible = [.. assembly.ExportedTypes.SelectMany(DocumentationId.OfVisible)];
        XDocument documentation = XDocument.Load(arguments[1], LoadOptions.PreserveWhitespace);
        foreach (XElement member in documentation.Descendants("member").ToArray())
        {
            if (!visible.Contains(member.Attribute("name")!.Value))
            {
                // The line break before it goes as well.
                (member.PreviousNode as XText)?.Remove();
                member.Remove();
            }
        }

        // As the compiler writes it: without a mark of the byte order.
        UTF8Encoding encoding = new(encoderShouldEmitUTF8Identifier: false);
        using XmlWriter writer = XmlWriter.Create(arguments[1], new XmlWriterSettings { Encoding = encoding });
        documentation.Save(writer);
    }
}
