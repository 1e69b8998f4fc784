import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { authorizationChain } from "../../server/authorization/chain.ts";
import { NodeAuthorizer } from "../../server/authorization/node.ts";
import { RbacAuthorizer } from "../../server/authorization/rbac.ts";
import { subjectAccessReview } from "../../server/authorization/reviews.ts";
import { nodeRules, rbacObjects } from "../../server/bootstrap/objects.ts";

const CASES = new URL("../../../shared/conformance/cases/kinds/rbac.json", import.meta.url);
const GROUP = "rbac.authorization.k8s.io";

interface Case {
  name: string;
  requires?: string[];
  steps: { request?: { method: string; path: string; body?: Obj }; expect?: { picked?: Record<string, unknown> } }[];
}

function cases(): Case[] {
  try {
    return JSON.parse(Deno.readTextFileSync(CASES).replaceAll("{ns}", "ns").replaceAll("{id}", "id"));
  } catch {
    return []; // the corpus is not part of the project
  }
}

/** The server of the corpus: Node and RBAC over the bootstrap policy. */
function server(node: boolean) {
  const objects = rbacObjects(() => false);
  const lister = {
    list: (id: string) => objects.filter((o) => o.resourceId === id).map((o) => o.object),
    get: () => undefined,
  };
  const rbac = new RbacAuthorizer(lister);
  const product = productOf("kubernetes");
  const nodes = new NodeAuthorizer({ product, lister, rules: nodeRules(product, () => false), gate: () => false });
  return {
    chain: authorizationChain(node ? [nodes, rbac] : [rbac]),
    create(path: string, body: Obj) {
      const resource = path.split("/").at(-1)!;
      const metadata = { ...body.metadata, ...(path.includes("/namespaces/") ? { namespace: "ns" } : {}) };
      objects.push({ resourceId: `${resource}.${GROUP}`, object: { ...body, metadata } });
      rbac.changed(`${resource}.${GROUP}`);
    },
  };
}

Deno.test("access by the bootstrap policy is as recorded", async () => {
  let seen = 0;
  for (const { name, requires, steps } of cases().filter((c) => c.name.startsWith("access of"))) {
    const { chain, create } = server(requires?.includes("NodeAuthorizer") ?? false);
    for (const [i, { request, expect }] of steps.entries()) {
      if (request?.method !== "POST" || !request.body) continue;
      if (request.path.includes(GROUP)) create(request.path, request.body);
      if (!request.path.endsWith("/subjectaccessreviews")) continue;
      const { status } = await subjectAccessReview({ ...request.body, metadata: {} }, chain, "authorization.k8s.io");
      assert.equal(
        status.allowed,
        expect?.picked?.["status.allowed"],
        `${name}: step ${i} ${JSON.stringify(request.body.spec)}`,
      );
      seen++;
    }
  }
  if (cases().length) assert.ok(seen > 100, String(seen));
});
