namespace Batch.Commands;

/// <summary>Specifies the part of a template that differs between jobs.</summary>
internal enum Placeholder
{
    /// <summary><c>{}</c></summary>
    Item,

    /// <summary><c>{.}</c></summary>
    WithoutExtension,

    /// <summary><c>{/}</c></summary>
    BaseName,

    /// <summary><c>{//}</c></summary>
    DirectoryName,

    /// <summary><c>{/.}</c></summary>
    BaseNameWithoutExtension,

    /// <summary><c>{#}</c></summary>
    Sequence,

    /// <summary><c>{%}</c></summary>
    Slot,
}
