/** Admission plugin DefaultStorageClass: see _table.ts. */
import assert from "node:assert/strict";
import { startTestServer } from "../../fixture/server.ts";
import { claim, storage } from "./_objects.ts";
import { create, table } from "./_table.ts";

const DEFAULT_STORAGE = { "storageclass.kubernetes.io/is-default-class": "true" };

table("DefaultStorageClass", {
  on: {
    "the default class": {
      flags: ["--v=1"],
      given: [storage("usual", { metadata: { annotations: DEFAULT_STORAGE } })],
      post: claim(),
      shows: { "spec.storageClassName": "usual" },
    },
    "no class by name is a choice": {
      flags: ["--v=1"],
      post: claim({ storageClassName: "" }),
      shows: { "spec.storageClassName": "" },
    },
    "a class that says it is not, and one that says it in the old way": {
      flags: ["--v=3"],
      given: [
        storage("no", { metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "false" } } }),
        storage("old", { metadata: { annotations: { "storageclass.beta.kubernetes.io/is-default-class": "true" } } }),
      ],
      post: claim(),
      shows: { "spec.storageClassName": "old" },
    },
    "of two defaults that are equally old the first by name": {
      flags: ["--v=2"],
      given: ["b", "a"].map((n) => storage(n, { metadata: { annotations: DEFAULT_STORAGE } })),
      post: claim(),
      shows: { "spec.storageClassName": "a" },
    },
  },
  edge: {
    "a claim that names none, without a default": { post: claim(), shows: { "spec.storageClassName": undefined } },
    "the old annotation is a choice": {
      flags: ["--v=1"],
      post: claim({}, { annotations: { "volume.beta.kubernetes.io/storage-class": "mine" } }),
      shows: { "spec.storageClassName": undefined },
    },
  },
  dryRun: {
    "a dry run shows it": { flags: ["--v=1"], post: claim(), shows: { "spec.storageClassName": "usual" } },
  },
  off: {
    "none": {
      given: [storage("usual", { metadata: { annotations: DEFAULT_STORAGE } })],
      post: claim(),
      shows: { "spec.storageClassName": undefined },
    },
  },
});

Deno.test("of several default classes the newest counts", async () => {
  let now = Date.now();
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { now: () => now });
  try {
    for (const name of ["a", "b", "c"]) {
      await create(t, "", storage(name, { metadata: { annotations: name === "c" ? {} : DEFAULT_STORAGE } }));
      now += 2000;
    }
    const made = await create(t, "default", claim());
    assert.equal(made.body.spec.storageClassName, "b", made.text);
  } finally {
    await t.stop();
  }
});
