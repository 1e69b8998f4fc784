/** Patches and applies of any JSON: a result, or a refusal that a client may be told. */
import assert from "node:assert/strict";
import { PatchError } from "../../../schema/merge/errors.ts";
import { applyJsonPatch } from "../../../schema/merge/json_patch.ts";
import { applyMergePatch } from "../../../schema/merge/merge_patch.ts";
import { createMergePatch } from "../../merge/_merge_diff.ts";
import { applyStrategicMerge } from "../../../schema/merge/strategic.ts";
import type { Json, JsonMap } from "../../../schema/model/types.ts";
import { randomJson } from "../../merge/_random.ts";
import { builtin } from "../../merge/_schema.ts";
import { target } from "./target.ts";
import { Random } from "../../fixture/random.ts";

const tree = (random: Random) => randomJson(random, 4, { nulls: true });

const textOf = (value: unknown) => JSON.stringify(value, (_, v) => typeof v === "bigint" ? `${v}n` : v);

/** Undefined: refused as a patch may be. */
function patched<T>(patch: () => T): T | undefined {
  try {
    return patch();
  } catch (e) {
    if (!(e instanceof PatchError)) throw e;
    return undefined;
  }
}

const SEGMENTS = ["a", "b", "c", "0", "1", "-", "-1", "01", "constructor", "__proto__", "x~1y", "~01", "", "~2"];

/** JSON patches whose paths mostly lead somewhere; the document is as it was when one is refused. */
export const jsonPatch = target(15_000, (seed) => {
  const random = new Random(seed);
  const path = () => Array.from({ length: random.below(4) }, () => `/${random.pick(SEGMENTS)}`).join("");
  const operation = (): Json => ({
    op: random.pick(["add", "remove", "replace", "move", "copy", "test", "merge"]),
    path: random.once(30) ? randomJson(random, 1, { nulls: true }) : path(),
    ...(random.once(2) ? { from: path() } : {}),
    ...(random.once(4) ? {} : { value: randomJson(random, 2, { nulls: true }) }),
  });
  return {
    next: () => ({
      doc: tree(random),
      patch: random.once(40) ? tree(random) : Array.from({ length: 1 + random.below(2) }, operation),
    }),
    try({ doc, patch }) {
      const before = textOf([doc, patch]);
      const out = patched(() => applyJsonPatch(doc, patch));
      assert.equal(textOf([doc, patch]), before, "what is given is not changed");
      return out !== undefined;
    },
  };
});

/**
 * Merge patches: the same twice and three times (the first time a list in the place of an object keeps its nulls), and the difference
 * of two leads from the one to the other.
 */
export const mergePatch = target(15_000, (seed) => {
  const random = new Random(seed);
  return {
    next: () => ({ doc: tree(random), patch: tree(random), other: randomJson(random, 4, { nulls: false }) }),
    try({ doc, patch, other }) {
      const twice = applyMergePatch(applyMergePatch(doc, patch), patch);
      assert.deepEqual(applyMergePatch(twice, patch), twice);
      const plain = applyMergePatch({}, doc);
      assert.deepEqual(applyMergePatch(plain, createMergePatch(plain, other)), other);
      return true;
    },
  };
});

const POD = builtin("core.v1.Pod");
const NAMES = ["a", "b", "c"];
const DIRECTIVES = [
  "$patch",
  "$retainKeys",
  "$deleteFromPrimitiveList/finalizers",
  "$setElementOrder/containers",
  "$x",
];

/** Strategic merges of half-made pods with directives in any place. */
export const strategic = target(10_000, (seed) => {
  const random = new Random(seed);
  const item = (): Json =>
    random.once(12) ? tree(random) : {
      ...(random.once(8) ? {} : { name: random.pick(NAMES) }),
      ...(random.once(3) ? { image: random.pick(NAMES) } : {}),
      ...(random.once(3) ? { ports: list(() => ({ containerPort: random.below(3), protocol: "TCP" })) } : {}),
      ...(random.once(6) ? { $patch: random.pick<Json>(["delete", "replace", "merge", "x", 1, null]) } : {}),
    };
  const list = (one: () => Json) => Array.from({ length: random.below(4) }, one);
  const pod = (directives: boolean): JsonMap => {
    const spec: JsonMap = {};
    for (const key of ["containers", "initContainers", "volumes", "tolerations", "imagePullSecrets"]) {
      if (random.once(2)) spec[key] = random.once(15) ? tree(random) : list(item);
    }
    const metadata: JsonMap = { finalizers: list(() => random.pick(NAMES)), labels: tree(random) };
    if (directives) {
      for (const part of [spec, metadata]) {
        if (random.once(2)) {
          part[random.pick(DIRECTIVES)] = random.pick<Json>([
            "replace",
            "delete",
            null,
            ["a", "b"],
            [{ name: "a" }, { name: "b" }],
            tree(random),
          ]);
        }
      }
    }
    return { metadata, spec };
  };
  return {
    next: () => ({ original: pod(false), patch: pod(true) }),
    try({ original, patch }) {
      const before = textOf([original, patch]);
      const out = patched(() => applyStrategicMerge(POD, original, patch));
      assert.equal(textOf([original, patch]), before, "what is given is not changed");
      return out !== undefined;
    },
  };
});
