import assert from "node:assert/strict";
import { collect } from "../../../agent/pods/collect.ts";
import { LABEL } from "../../../agent/pods/mod.ts";
import type { PodSandbox, RuntimeContainer } from "../../../agent/runtime/types.ts";

const labels = (uid: string) => ({ [LABEL.uid]: uid });

function container(
  uid: string,
  name: string,
  nth: number,
  state: RuntimeContainer["state"],
  box = `${uid}-box`,
): RuntimeContainer {
  return {
    id: `${uid}-${name}-${nth}`,
    podSandboxId: box,
    metadata: { name, attempt: nth },
    imageRef: "",
    imageId: "",
    state,
    createdAt: BigInt(nth),
    labels: labels(uid),
    annotations: {},
  };
}

function sandbox(uid: string, id: string, attempt: number, state: PodSandbox["state"]): PodSandbox {
  return {
    id,
    metadata: { name: uid, uid, namespace: "default", attempt },
    state,
    createdAt: BigInt(attempt),
    labels: labels(uid),
    annotations: {},
    runtimeHandler: "",
  };
}

Deno.test("collect: so many ended tries are kept of each container, and none of pods that are gone", () => {
  const containers = [
    container("a", "main", 1, "EXITED"),
    container("a", "main", 2, "EXITED"),
    container("a", "main", 3, "RUNNING"),
    container("a", "side", 1, "EXITED"),
    container("a", "side", 2, "CREATED"),
    container("b", "main", 1, "EXITED"),
    container("b", "side", 1, "CREATED"),
    { ...container("c", "foreign", 1, "EXITED"), labels: {} },
  ];
  const of = (perContainer: number, total = -1) =>
    collect({ containers, sandboxes: [], perContainer, total, isGone: (uid) => uid === "b" }).containers;
  assert.deepEqual(of(1), ["a-main-1", "b-main-1", "b-side-1"]);
  assert.deepEqual(of(0), ["a-main-1", "b-main-1", "b-side-1"], "what is to be done next is known by the last one");
  assert.deepEqual(of(5), ["b-main-1", "b-side-1"]);
  assert.deepEqual(of(5, 2), ["b-main-1", "b-side-1", "a-main-1"]);
});

Deno.test("collect: sandboxes go when nothing is in them and a newer one is there", () => {
  const sandboxes = [
    sandbox("a", "a0", 0, "NOTREADY"),
    sandbox("a", "a1", 1, "NOTREADY"),
    sandbox("a", "a2", 2, "NOTREADY"),
    sandbox("b", "b0", 0, "NOTREADY"),
    sandbox("c", "c0", 0, "READY"),
  ];
  const containers = [container("a", "main", 1, "EXITED", "a0")];
  const got = collect({ containers, sandboxes, perContainer: 1, total: -1, isGone: (uid) => uid !== "a" });
  assert.deepEqual(got.sandboxes, ["a1", "b0"]);
});
