/** Admission plugin DefaultIngressClass: see _table.ts. */
import { obj, table } from "./_table.ts";

const ingress = (spec = {}, metadata = {}) =>
  obj("networking.k8s.io/v1", "Ingress", "i", {
    metadata,
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
  });
const ingressClass = obj("networking.k8s.io/v1", "IngressClass", "usual", {
  metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
  spec: { controller: "x.io/c" },
});

table("DefaultIngressClass", {
  on: {
    "the default class": {
      flags: ["--v=1"],
      given: [ingressClass],
      post: ingress(),
      shows: { "spec.ingressClassName": "usual" },
    },
    "a name is a choice": {
      flags: ["--v=1"],
      post: ingress({ ingressClassName: "mine" }),
      shows: { "spec.ingressClassName": "mine" },
    },
  },
  edge: {
    "without a default": { post: ingress(), shows: { "spec.ingressClassName": undefined } },
    "the old annotation is a choice": {
      flags: ["--v=1"],
      post: ingress({}, { annotations: { "kubernetes.io/ingress.class": "mine" } }),
      shows: { "spec.ingressClassName": undefined },
    },
  },
  dryRun: {
    "a dry run shows it": { flags: ["--v=1"], post: ingress(), shows: { "spec.ingressClassName": "usual" } },
  },
  off: {
    "none": { given: [ingressClass], post: ingress(), shows: { "spec.ingressClassName": undefined } },
  },
});
