/** Objects to try the codecs on: the golden set when it is there, else a few of our own. */
import type { Json } from "../../schema/model/types.ts";

const GOLDEN = new URL("../../../shared/golden/", import.meta.url);

/** An object in two forms. `yaml` is absent for our own. */
export interface Sample {
  readonly name: string;
  readonly json: Json;
  readonly yaml: string | undefined;
}

const OWN: readonly Sample[] = [
  {
    name: "pod",
    yaml: undefined,
    json: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "web",
        labels: { "app.kubernetes.io/name": "web", on: "yes" },
        annotations: { text: "a\nb\n" },
      },
      spec: { containers: [{ name: "c", args: ["-x", "", "1"], ports: [{ containerPort: 80 }], env: [] }] },
    },
  },
  { name: "numbers", yaml: undefined, json: { int: 2n ** 62n, float: 1.5, list: [[1, [2]], { a: null }] } },
];

/** All samples. */
export function samples(): readonly Sample[] {
  const names = list().filter((n) => n.endsWith(".json"));
  if (names.length === 0) return OWN;
  const read = (name: string) => Deno.readTextFileSync(new URL(name, GOLDEN));
  return names.map((name) => ({ name, json: JSON.parse(read(name)), yaml: read(name.replace(/json$/, "yaml")) }));
}

function list(): string[] {
  try {
    return [...Deno.readDirSync(GOLDEN)].map((e) => e.name);
  } catch (e) {
    if (e instanceof Deno.errors.NotFound) return [];
    throw e;
  }
}
