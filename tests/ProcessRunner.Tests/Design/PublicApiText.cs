using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace ProcessRunner.Tests.Design;

/// <summary>Writes the public surface of an assembly, one line per member, in a stable order.</summary>
internal static class PublicApiText
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly NullabilityInfoContext s_nullability = new();

    public static IReadOnlyList<string> Of(Assembly assembly)
    {
        List<string> lines = [];
        foreach (Type type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            lines.Add(Describe(type));
            IEnumerable<(string Name, string Text)> members = type.GetMembers(Declared)
                .Where(IsWritten)
                .Select(member => (member.Name, Describe(type, member)));
            lines.AddRange(members.Order().Select(member => $"    {member.Text}"));
        }

        return lines;
    }

    // The members that the compiler adds to every record and enum carry no information.
    private static bool IsWritten(MemberInfo member) => member switch
    {
        MethodInfo method => (!method.IsSpecialName || IsOperator(method)) && !IsGenerated(method),
        FieldInfo field => !field.IsSpecialName,
        Type => false,
        _ => !IsGenerated(member),
    };

    private static bool IsOperator(MethodInfo method) => method.Name.StartsWith("op_", StringComparison.Ordinal);

    private static bool IsGenerated(MemberInfo member) => member.IsDefined(typeof(CompilerGeneratedAttribute));

    private static string Describe(Type type)
    {
        string kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsInterface: true } => "interface",
            { IsValueType: true } => "struct",
            { IsAbstract: true, IsSealed: true } => "static class",
            _ when type.GetMethod("<Clone>$") is not null => "sealed record",
            { IsSealed: true } => "sealed class",
            _ => "class",
        };
        IEnumerable<string> bases =
            type.GetInterfaces().Where(face => face.IsPublic).Select(Name).Order(StringComparer.Ordinal);
        if (type.BaseType is Type parent && parent != typeof(object) && !type.IsValueType)
        {
            bases = bases.Prepend(Name(parent));
        }

        return type.IsEnum || !bases.Any()
            ? $"{kind} {Name(type)}"
            : $"{kind} {Name(type)} : {string.Join(", ", bases)}";
    }

    private static string Describe(Type type, MemberInfo member) => member switch
    {
        FieldInfo { IsLiteral: true } field when type.IsEnum =>
            $"{field.Name} = {Convert.ToInt64(field.GetRawConstantValue())}",
        FieldInfo field => $"{Static(field.IsStatic)}{Name(field.FieldType, s_nullability.Create(field))} {field.Name}",
        ConstructorInfo constructor => $"{type.Name}({Parameters(constructor)})",
        MethodInfo method =>
            $"{Static(method.IsStatic)}{Name(method.ReturnType, s_nullability.Create(method.ReturnParameter))} "
            + $"{method.Name}({Parameters(method)})",
        PropertyInfo property => Describe(property),
        _ => $"{member.MemberType} {member.Name}",
    };

    private static string Describe(PropertyInfo property)
    {
        string setter = property.SetMethod switch
        {
            { IsPublic: true } set when IsInit(set) => " init;",
            { IsPublic: true } => " set;",
            _ => "",
        };
        bool isStatic = property.GetMethod!.IsStatic;
        string name = Name(property.PropertyType, s_nullability.Create(property));
        return $"{Static(isStatic)}{name} {property.Name} {{ get;{setter} }}";
    }

    private static bool IsInit(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    private static string Static(bool isStatic) => isStatic ? "static " : "";

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Describe));

    private static string Describe(ParameterInfo parameter)
    {
        bool isParams = parameter.IsDefined(typeof(ParamArrayAttribute))
            || parameter.IsDefined(typeof(ParamCollectionAttribute));
        string prefix = parameter.IsOut ? "out " : isParams ? "params " : "";
        string suffix = !parameter.HasDefaultValue ? ""
            : parameter.DefaultValue is null ? " = default"
            : $" = {parameter.DefaultValue}";
        return $"{prefix}{Name(parameter.ParameterType, s_nullability.Create(parameter))} {parameter.Name}{suffix}";
    }

    private static string Name(Type type) => Name(type, null);

    private static string Name(Type type, NullabilityInfo? nullability)
    {
        if (type.IsByRef)
        {
            return Name(type.GetElementType()!, nullability);
        }

        if (Nullable.GetUnderlyingType(type) is Type underlying)
        {
            return Name(underlying) + "?";
        }

        string name = type.Name;
        if (type.IsGenericType)
        {
            Type[] arguments = type.GetGenericArguments();
            NullabilityInfo[] inner = nullability?.GenericTypeArguments ?? [];
            IEnumerable<string> names = arguments.Select((one, i) => Name(one, i < inner.Length ? inner[i] : null));
            name = $"{name[..name.IndexOf('`', StringComparison.Ordinal)]}<{string.Join(", ", names)}>";
        }

        bool mayBeNull = nullability?.ReadState == NullabilityState.Nullable
            || nullability?.WriteState == NullabilityState.Nullable;
        return mayBeNull && !type.IsValueType ? name + "?" : name;
    }
}
