/** Admission plugin MutatingAdmissionWebhook: see _table.ts. tests/admission/webhooks_test.ts has more of what webhooks say. */
import { map, MAPS, NO, rules, webhookTable } from "./_webhooks.ts";

const POST = [["POST", MAPS, map()]] as const;
const DRY = [["POST", `${MAPS}?dryRun=All`, map()]] as const;
const label = (value: string) => ({ patch: [{ op: "add", path: "/metadata/labels", value: { by: value } }] });

webhookTable("MutatingAdmissionWebhook", {
  on: {
    "a patch": { hooks: [{ mutating: true, says: label("h") }], send: POST, shows: { "metadata.labels.by": "h" } },
    "one after another": {
      hooks: [{ mutating: true, says: label("first") }, { mutating: true, says: label("last") }],
      send: POST,
      shows: { "metadata.labels.by": "last" },
    },
    "a denial": { hooks: [{ mutating: true, says: NO }], send: POST, status: 400, message: /denied the request/ },
  },
  edge: {
    "rules about others": {
      hooks: [{ mutating: true, says: NO, hook: rules({ operations: ["DELETE"] }) }],
      send: POST,
      called: [],
    },
    "a patch that does not fit": {
      hooks: [{ mutating: true, says: { patch: [{ op: "remove", path: "/nowhere" }] } }],
      send: POST,
      status: 500,
    },
  },
  config: {
    "credentials come from the connection file": {
      users: [{ name: "*", user: { username: "u", password: "p" } }],
      hooks: [{ mutating: true }],
      send: POST,
      authorization: `Basic ${btoa("u:p")}`,
    },
  },
  dryRun: {
    "the patch shows": {
      hooks: [{ mutating: true, says: label("h") }],
      send: DRY,
      asked: { dryRun: true },
      shows: { "metadata.labels.by": "h" },
    },
  },
  off: {
    "nobody is asked": {
      hooks: [{ mutating: true, says: label("h") }],
      send: POST,
      called: [],
      shows: { "metadata.labels": undefined },
    },
  },
});
