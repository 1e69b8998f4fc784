/** Admission plugin DefaultStorageClass: see _table.ts. */
import { claim, storage } from "./_objects.ts";
import { table } from "./_table.ts";

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
