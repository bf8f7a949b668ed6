using System.Text.Json.Serialization;

namespace PTest.Hosts;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(HostEvent))]
internal sealed partial class HostEventJson : JsonSerializerContext;
