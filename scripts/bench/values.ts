/**
 * Speed of the values and the text codecs on a 2 KB Service-like object: `deno bench -A scripts/bench/values.ts`. Groups put
 * each row beside what the runtime itself needs for the same bytes.
 */
import { parseCbor } from "../../schema/codec/cbor.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { encodeJson, parseJson, stringifyJson } from "../../schema/codec/json.ts";
import { parseYaml, stringifyYaml } from "../../schema/codec/yaml.ts";
import { fnv64a } from "../../schema/values/fnv.ts";
import { matches, parseSelector } from "../../schema/values/labels.ts";
import { dnsSubdomain, qualifiedName } from "../../schema/values/names.ts";
import { canonicalQuantity, parseQuantity } from "../../schema/values/quantity.ts";
import { canonicalTime } from "../../schema/values/time.ts";

const port = (i: number) => ({
  name: `port-${i}`,
  protocol: "TCP",
  port: 8000 + i,
  targetPort: `http-${i}`,
  nodePort: 30000 + i,
});
const object = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: "web-frontend",
    namespace: "production",
    uid: "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9",
    resourceVersion: "184467",
    creationTimestamp: "2026-01-02T15:04:05Z",
    labels: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`app.example.com/label-${i}`, `value-${i}`])),
    annotations: {
      "example.com/description": "a text of some length that says what the object is for, in words. ".repeat(6),
    },
    managedFields: [{ manager: "client", operation: "Update", fieldsV1: { "f:spec": { "f:ports": { ".": {} } } } }],
  },
  spec: { type: "NodePort", selector: { app: "web" }, ports: Array.from({ length: 6 }, (_, i) => port(i)) },
  status: { loadBalancer: {} },
};
const text = JSON.stringify(object);
const jsonBytes = encodeJson(object);
const cborBytes = encodeCbor(object);
const yamlText = stringifyYaml(object);
const decoder = new TextDecoder();
console.log(`object: ${text.length} bytes of JSON, ${cborBytes.length} of CBOR, ${yamlText.length} of YAML`);

Deno.bench(
  "JSON.parse of decoded bytes",
  { group: "read json", baseline: true },
  () => void JSON.parse(decoder.decode(jsonBytes)),
);
Deno.bench("parseJson", { group: "read json" }, () => void parseJson(jsonBytes));
Deno.bench("parseJson, duplicates", { group: "read json" }, () => void parseJson(jsonBytes, { duplicates: true }));
Deno.bench("parseCbor", { group: "read json" }, () => void parseCbor(cborBytes));
Deno.bench("parseYaml", { group: "read json" }, () => void parseYaml(yamlText));
Deno.bench("parseYaml of JSON text", { group: "read json" }, () => void parseYaml(text));

Deno.bench("JSON.stringify", { group: "write json", baseline: true }, () => void JSON.stringify(object));
Deno.bench("stringifyJson", { group: "write json" }, () => void stringifyJson(object));
Deno.bench("encodeJson", { group: "write json" }, () => void encodeJson(object));
Deno.bench("encodeCbor", { group: "write json" }, () => void encodeCbor(object));
Deno.bench("stringifyYaml", { group: "write json" }, () => void stringifyYaml(object));

const quantities = ["100m", "1Gi", "250M", "2", "512Mi", "1500m", "64Ki", "10"];
let n = 0;
const next = () => quantities[n++ & 7]!;
const requirements = parseSelector("app=web,tier in (a,b),!old");
const labels = { app: "web", tier: "b", other: "x" };

Deno.bench("canonicalQuantity", { group: "values" }, () => void canonicalQuantity(next()));
Deno.bench("parseQuantity, cached", { group: "values" }, () => void parseQuantity(next()));
Deno.bench("quantity add", { group: "values" }, () => void parseQuantity("1Gi").add(parseQuantity("512Mi")));
Deno.bench("canonicalTime", { group: "values" }, () => void canonicalTime("2026-01-02T15:04:05Z"));
Deno.bench("dnsSubdomain", { group: "values" }, () => void dnsSubdomain("web-frontend-7d4b9c"));
Deno.bench("qualifiedName", { group: "values" }, () => void qualifiedName("app.example.com/component"));
Deno.bench("parseSelector", { group: "values" }, () => void parseSelector("app=web,tier in (a,b),!old"));
Deno.bench("matches", { group: "values" }, () => void matches(requirements, labels));
Deno.bench("fnv64a of 36 bytes", { group: "values" }, () => void fnv64a("0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9"));
