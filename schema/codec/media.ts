/** The encodings of bodies (specification, "Content negotiation"). */
export type MediaKind = "json" | "yaml" | "protobuf" | "cbor";
