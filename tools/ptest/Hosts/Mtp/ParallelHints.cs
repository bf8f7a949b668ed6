using System.Collections.Generic;
using System.IO;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PTest.Hosts.Mtp;

/// <summary>
/// Reads from an assembly which of its tests ask to run alone. The platform's protocol does not report it, but MSTest,
/// NUnit and TUnit have attributes for it: [DoNotParallelize], [NonParallelizable],
/// [Parallelizable(ParallelScope.None)], [LevelOfParallelism(1)] and [NotInParallel], of a method, a class, one of its
/// base classes in the same assembly, or the assembly. The last one may name what must not run beside it, which would
/// need a group for each name.
/// </summary>
internal sealed class ParallelHints
{
    private const int ScopeNone = 2;

    private readonly HashSet<string> _classes = [];
    private readonly HashSet<(string Class, string Method)> _methods = [];
    private readonly bool _isWhole;

    private ParallelHints(MetadataReader metadata)
    {
        _isWhole = AskFor(metadata, metadata.GetAssemblyDefinition().GetCustomAttributes());
        foreach (TypeDefinitionHandle handle in metadata.TypeDefinitions)
        {
            TypeDefinition type = metadata.GetTypeDefinition(handle);
            string name = NameOf(metadata, type);
            if (IsAlone(metadata, type))
            {
                _classes.Add(name);
            }

            foreach (MethodDefinitionHandle one in type.GetMethods())
            {
                MethodDefinition method = metadata.GetMethodDefinition(one);
                if (AskFor(metadata, method.GetCustomAttributes()))
                {
                    _methods.Add((name, metadata.GetString(method.Name)));
                }
            }
        }
    }

    /// <summary>Reads an assembly.</summary>
    public static ParallelHints Of(string path)
    {
        using FileStream file = File.OpenRead(path);
        using PEReader image = new(file);
        return new ParallelHints(image.GetMetadataReader());
    }

    /// <summary>Returns whether nothing may run beside a test.</summary>
    public bool IsExclusive(string className, string methodName) =>
        _isWhole || _classes.Contains(className) || _methods.Contains((className, methodName.Split('(')[0]));

    private static bool IsAlone(MetadataReader metadata, TypeDefinition type)
    {
        while (!AskFor(metadata, type.GetCustomAttributes()))
        {
            if (type.BaseType.IsNil || type.BaseType.Kind != HandleKind.TypeDefinition)
            {
                return false;
            }

            type = metadata.GetTypeDefinition((TypeDefinitionHandle)type.BaseType);
        }

        return true;
    }

    private static bool AskFor(MetadataReader metadata, CustomAttributeHandleCollection attributes)
    {
        foreach (CustomAttributeHandle handle in attributes)
        {
            CustomAttribute attribute = metadata.GetCustomAttribute(handle);
            bool asks = Kind(metadata, attribute) switch
            {
                "Microsoft.VisualStudio.TestTools.UnitTesting.DoNotParallelizeAttribute" => true,
                "NUnit.Framework.NonParallelizableAttribute" => true,
                "TUnit.Core.NotInParallelAttribute" => true,
                "NUnit.Framework.ParallelizableAttribute" => Argument(metadata, attribute) == ScopeNone,
                "NUnit.Framework.LevelOfParallelismAttribute" => Argument(metadata, attribute) == 1,
                _ => false,
            };
            if (asks)
            {
                return true;
            }
        }

        return false;
    }

    private static string? Kind(MetadataReader metadata, CustomAttribute attribute)
    {
        if (attribute.Constructor.Kind == HandleKind.MemberReference
            && metadata.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent is EntityHandle parent
            && parent.Kind == HandleKind.TypeReference)
        {
            TypeReference type = metadata.GetTypeReference((TypeReferenceHandle)parent);
            return $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}";
        }

        return null;
    }

    /// <summary>
    /// Gets the only argument of a constructor, a number or an enum; null if it has none (ECMA-335 II.23.3).
    /// </summary>
    private static int? Argument(MetadataReader metadata, CustomAttribute attribute)
    {
        BlobReader value = metadata.GetBlobReader(attribute.Value);
        return value.Length >= 8 && value.ReadUInt16() == 1 ? value.ReadInt32() : null;
    }

    private static string NameOf(MetadataReader metadata, TypeDefinition type)
    {
        string name = metadata.GetString(type.Name);
        if (type.GetDeclaringType() is { IsNil: false } outer)
        {
            return $"{NameOf(metadata, metadata.GetTypeDefinition(outer))}+{name}";
        }

        string space = metadata.GetString(type.Namespace);
        return space.Length > 0 ? $"{space}.{name}" : name;
    }
}
