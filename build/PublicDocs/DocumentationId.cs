using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace PublicDocs;

/// <summary>
/// Composes the names by which a documentation file calls types and members: the "ID strings" of the C# specification,
/// annex D.4.2.
/// </summary>
internal static class DocumentationId
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
        | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>Returns the names of a type and of its members that are visible outside of the assembly.</summary>
    public static IEnumerable<string> OfVisible(Type type) =>
    [
        $"T:{Name(type)}",
        .. type.GetFields(Declared).Where(field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly)
            .Select(field => $"F:{Name(type)}.{field.Name}"),
        .. type.GetEvents(Declared).Where(one => IsVisible(one.AddMethod))
            .Select(one => $"E:{Name(type)}.{one.Name}"),
        .. type.GetProperties(Declared).Where(property => property.GetAccessors(nonPublic: true).Any(IsVisible))
            .Select(property => $"P:{Name(type)}.{property.Name}{Parameters(property.GetIndexParameters())}"),
        .. type.GetConstructors(Declared).Where(IsVisible)
            .Select(constructor => $"M:{Name(type)}.#ctor{Parameters(constructor.GetParameters())}"),
        .. type.GetMethods(Declared).Where(IsVisible).Select(method => $"M:{Name(type)}.{Method(method)}"),
    ];

    private static bool IsVisible(MethodBase? method) =>
        method is { IsPublic: true } or { IsFamily: true } or { IsFamilyOrAssembly: true };

    private static string Method(MethodInfo method)
    {
        int generics = method.GetGenericArguments().Length;
        string conversion = method.Name is "op_Implicit" or "op_Explicit" ? $"~{Reference(method.ReturnType)}" : "";
        return $"{method.Name}{(generics > 0 ? $"``{generics}" : "")}{Parameters(method.GetParameters())}{conversion}";
    }

    private static string Parameters(ParameterInfo[] parameters) => parameters.Length == 0
        ? ""
        : $"({string.Join(',', parameters.Select(parameter => Reference(parameter.ParameterType)))})";

    private static string Name(Type type) => type.FullName!.Replace('+', '.');

    // A type in a signature.
    private static string Reference(Type type)
    {
        if (type.IsGenericParameter)
        {
            return $"{(type.DeclaringMethod is null ? "`" : "``")}{type.GenericParameterPosition}";
        }

        if (type.HasElementType)
        {
            string element = Reference(type.GetElementType()!);
            return type.IsByRef ? $"{element}@"
                : type.IsPointer ? $"{element}*"
                : type.IsSZArray ? $"{element}[]"
                : $"{element}[{string.Join(',', Enumerable.Repeat("0:", type.GetArrayRank()))}]";
        }

        return type.IsConstructedGenericType ? Constructed(type) : Name(type);
    }

    // Each part of a nested name has the arguments that it declares.
    private static string Constructed(Type type)
    {
        Type[] arguments = type.GetGenericArguments();
        int next = 0;
        IEnumerable<string> parts = Name(type.GetGenericTypeDefinition()).Split('.').Select(part =>
        {
            int tick = part.IndexOf('`', StringComparison.Ordinal);
            if (tick < 0)
            {
                return part;
            }

            int count = int.Parse(part.AsSpan(tick + 1), provider: null);
            string list = string.Join(',', arguments.Skip(next).Take(count).Select(Reference));
            next += count;
            return $"{part[..tick]}{{{list}}}";
        });
        return string.Join('.', parts);
    }
}
