using System;
using System.Buffers.Binary;
using System.Text;

namespace PTest.Hosts.Mtp;

/// <summary>
/// Reads the bodies of messages of Microsoft.Testing.Platform's pipe protocol: a number of fields, each with an id, a
/// size and a value. Ids that are unknown are passed over, so that later versions can be read.
/// </summary>
internal ref struct MtpReader(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Handles an object in a list.</summary>
    public delegate void OnElement(ref MtpReader element);

    public int Count()
    {
        int value = BinaryPrimitives.ReadUInt16LittleEndian(_rest);
        _rest = _rest[2..];
        return value;
    }

    public int Integer()
    {
        int value = BinaryPrimitives.ReadInt32LittleEndian(_rest);
        _rest = _rest[4..];
        return value;
    }

    /// <summary>Reads a field.</summary>
    /// <returns>Its id, and its value.</returns>
    public int Field(out ReadOnlySpan<byte> value)
    {
        int id = Count();
        int size = Integer();
        value = _rest[..size];
        _rest = _rest[size..];
        return id;
    }

    /// <summary>Reads the objects of a list. Each must read all its fields.</summary>
    public static void List(ReadOnlySpan<byte> value, OnElement onElement)
    {
        MtpReader list = new(value);
        for (int left = list.Integer(); left > 0; left--)
        {
            onElement(ref list);
        }
    }

    public static string Text(ReadOnlySpan<byte> value) => Encoding.UTF8.GetString(value);

    public static long Long(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt64LittleEndian(value);
}
