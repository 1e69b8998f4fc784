/** Paths of fields through schemas: `.spec.replicas`, `.metadata['a.b']`. */
import type { Tree } from "../tree.ts";
import { isSchema } from "./schema_tree.ts";

/** Where a path leads. */
export interface FieldPath {
  readonly steps: readonly string[];
  readonly schema: Tree;
}

const STEP = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/gy;

/** Follows a path; undefined when its form is wrong or the schema has no such field. `brackets`: `['a']` may be used. */
export function fieldPath(text: string, root: Tree, brackets: boolean): FieldPath | undefined {
  const steps: string[] = [];
  let schema: Tree = root, end = 0;
  for (const m of text.matchAll(STEP)) {
    const name = m[1] ?? m[2]!.replace(/\\(.)/g, "$1");
    if (m[1] === undefined && !brackets) return undefined;
    const found = schema["properties"] ? schema["properties"][name] : schema["additionalProperties"];
    if (!isSchema(found)) return undefined;
    steps.push(name);
    schema = found;
    end = m.index + m[0].length;
  }
  return steps.length && end === text.length ? { steps, schema } : undefined;
}
