/** Admission plugin EventRateLimit: see _table.ts. */
import { obj, table } from "./_table.ts";

const event = (name: string) =>
  obj("v1", "Event", name, {
    involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
    source: { component: "c" },
  });
const limit = (type: string, rest = "") => `
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits: [{type: ${type}, qps: 1, burst: 1${rest}}]
`;

table("EventRateLimit", {
  on: {
    "one too many": {
      config: limit("Namespace", ", cacheSize: 9"),
      given: [event("a")],
      post: event("b"),
      status: 429,
      says: /^Too many requests: limit reached on type Namespace for key \{ns\}$/,
    },
  },
  edge: {
    "events of the other group are not bounded": {
      config: limit("Server", ", cacheSize: 7"),
      given: [event("a")],
      post: obj("events.k8s.io/v1", "Event", "b", {
        eventTime: "2026-01-01T00:00:00.000000Z",
        reportingController: "x.io/c",
        reportingInstance: "i",
        action: "a",
        reason: "r",
        type: "Normal",
        regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
      }),
    },
    "the key that was used longest ago is forgotten": {
      config: limit("SourceAndObject", ", cacheSize: 1"),
      given: [event("a"), { ...event("b"), source: { component: "d" } }],
      post: event("c"),
    },
    "one by namespace": { config: limit("Namespace"), post: event("a") },
    "another namespace has its own": { config: limit("Namespace"), post: event("a") },
  },
  config: {
    "the server's limit": {
      config: limit("Server"),
      given: [event("a")],
      post: event("b"),
      status: 429,
      says: /limit reached on type Server for key /,
    },
    "the user's": {
      config: limit("User"),
      given: [event("a")],
      post: event("b"),
      status: 429,
      says: /limit reached on type User for key admin/,
    },
    "source and object": {
      config: limit("SourceAndObject"),
      given: [event("a")],
      post: event("b"),
      status: 429,
      says: /limit reached on type SourceAndObject for key cPod/,
    },
  },
  dryRun: {
    "a dry run costs nothing": {
      config: limit("Namespace", ", cacheSize: 8"),
      given: [event("a")],
      post: event("b"),
    },
  },
  off: {
    "as many as come": { given: [event("a")], post: event("b") },
  },
});
