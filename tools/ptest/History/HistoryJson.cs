using System.Text.Json.Serialization;

namespace PTest.History;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(AssemblyHistory))]
internal sealed partial class HistoryJson : JsonSerializerContext;
