/** All fuzz targets, by name. */
import { cbor, cborObjects, jsonObjects, protobufMessages, protobufObjects } from "./binaries.ts";
import { jsonPatch, mergePatch, strategic } from "./merges.ts";
import { requests } from "./requests.ts";
import type { Target } from "./target.ts";
import { json, jsonAgrees, yaml, yamlTexts } from "./texts.ts";
import { cel, fieldSets, readers } from "./values.ts";

export { runTarget, type Tally, type Target } from "./target.ts";

export const TARGETS: Readonly<Record<string, Target>> = {
  "JSON": json,
  "JSON as the runtime reads it": jsonAgrees,
  "YAML": yaml,
  "YAML of texts": yamlTexts,
  "CBOR": cbor,
  "objects in JSON": jsonObjects,
  "objects in CBOR": cborObjects,
  "objects in Protobuf": protobufObjects,
  "messages in Protobuf": protobufMessages,
  "JSON patches": jsonPatch,
  "merge patches": mergePatch,
  "strategic merges": strategic,
  "owned fields": fieldSets,
  ...readers,
  "CEL": cel,
  "requests": requests,
};
