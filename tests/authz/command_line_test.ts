import assert from "node:assert/strict";
import { makeAuthorizer } from "../../server/authorization/make.ts";
import { AuthorizationMetrics } from "../../server/authorization/metrics.ts";
import type { Authorizer } from "../../server/authorization/types.ts";
import { optionalText } from "../../server/options/files.ts";
import { currentConnection, type Options, parseDuration, parseOptions, postJson } from "../../server/options/mod.ts";
import { attributesOf } from "./_attributes.ts";

function options(...argv: string[]): Options {
  const parsed = parseOptions(argv);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  return (parsed as { options: Options }).options;
}

/** Which members a command line's chain asks, in order, and what comes of it. */
async function asked(...argv: string[]): Promise<[string[], string]> {
  const names: string[] = [], o = options(...argv);
  const member = (name: string) => (): Authorizer => ({
    name,
    authorize: () => {
      names.push(name);
      return { decision: "no-opinion", reason: "" };
    },
  });
  const chain = makeAuthorizer(o, {
    product: o.product,
    now: () => 0,
    metrics: new AuthorizationMetrics(),
    rbac: member("rbac"),
    node: member("node"),
    policy: optionalText("authorization-policy-file", o.authorizationPolicyFile),
    parseDuration,
    post: (path) => postJson(currentConnection("authorization-webhook-config-file", path, () => 0)),
  });
  const { decision } = await chain.authorize(attributesOf({ name: "ann", groups: ["system:authenticated"] }));
  return [names, decision];
}

Deno.test("every mode of --authorization-mode is what it says, in its order", async () => {
  const file = Deno.makeTempFileSync();
  try {
    assert.deepEqual(await asked(), [[], "allow"]);
    assert.deepEqual(await asked("--authorization-mode=AlwaysDeny"), [[], "no-opinion"]);
    assert.deepEqual(await asked("--authorization-mode=Node,RBAC"), [["node", "rbac"], "no-opinion"]);
    assert.deepEqual(await asked("--authorization-mode=RBAC,Node,AlwaysAllow"), [["rbac", "node"], "allow"]);
    const policy = ["--authorization-mode=RBAC,ABAC", `--authorization-policy-file=${file}`];
    assert.deepEqual(await asked(...policy), [["rbac"], "no-opinion"]);
    Deno.writeTextFileSync(file, '{"user":"ann"}\n');
    assert.deepEqual(await asked(...policy), [["rbac"], "allow"]);
    Deno.writeTextFileSync(file, "nope\n");
    await assert.rejects(asked(...policy), /line 1/);
    await assert.rejects(
      asked("--authorization-mode=Webhook", `--authorization-webhook-config-file=${file}`),
      /--authorization-webhook-config-file.*leads to no cluster/,
    );
  } finally {
    Deno.removeSync(file);
  }
});
