/** Webhooks with side effects: such as were configured before the API refused them. */
import { HOOK_CA, type HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Obj } from "../../schema/model/types.ts";

const ID = "validatingwebhookconfigurations.admissionregistration.k8s.io";

/** A server that reaches webhooks. */
export const reaching = (): Promise<TestServer> => startTestServer([], { outside: TO_HOOKS });

/** Stores the configuration of a webhook about config maps, as it is. */
export async function store(t: TestServer, hooks: HookServer, name: string, sideEffects: string): Promise<void> {
  const registry = t.server.registries.byId(ID)!;
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: [{
      name: `${name}.test.io`,
      clientConfig: { url: hooks.on(`/${name}`, () => ({})), caBundle: btoa(HOOK_CA) },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"], scope: "*" }],
      failurePolicy: "Ignore",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      sideEffects,
      timeoutSeconds: 10,
      admissionReviewVersions: ["v1"],
    }],
  } as Obj;
  await t.backend.commit([registry.creation(configuration)]);
  await registry.fresh();
}
