/** Admission plugin ValidatingAdmissionWebhook: see _table.ts. tests/admission/webhooks_test.ts has more of what webhooks say. */
import { map, MAPS, NO, rules, webhookTable } from "./_webhooks.ts";

const POST = [["POST", MAPS, map()]] as const;
const DRY = [["POST", `${MAPS}?dryRun=All`, map()]] as const;

webhookTable("ValidatingAdmissionWebhook", {
  on: {
    "a webhook that allows": { hooks: [{}], send: POST, called: ["h0"] },
    "a webhook that denies": {
      hooks: [{ says: NO }],
      send: POST,
      status: 400,
      message: /^admission webhook "h0\.test\.io" denied the request without explanation$/,
    },
    "all are asked, one denial is enough": { hooks: [{}, { says: NO }], send: POST, status: 400, called: ["h0", "h1"] },
  },
  edge: {
    "rules about others": { hooks: [{ says: NO, hook: rules({ resources: ["pods"] }) }], send: POST, called: [] },
    "a webhook that cannot be reached and may be ignored": {
      hooks: [{ says: { status: 500, text: "" }, hook: { failurePolicy: "Ignore" } }],
      send: POST,
    },
  },
  config: {
    "credentials come from the connection file": {
      users: [{ name: "*", user: { token: "secret" } }],
      hooks: [{}],
      send: POST,
      authorization: "Bearer secret",
    },
  },
  dryRun: {
    "webhooks without side effects are told": { hooks: [{}], send: DRY, asked: { dryRun: true } },
    "and those that have none then": {
      hooks: [{ hook: { sideEffects: "NoneOnDryRun" } }],
      send: DRY,
      asked: { dryRun: true },
    },
  },
  off: { "nobody is asked": { hooks: [{ says: NO }], send: POST, called: [] } },
});
