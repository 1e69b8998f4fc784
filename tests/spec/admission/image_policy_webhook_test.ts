/** Admission plugin ImagePolicyWebhook: see _table.ts. It is never without a configuration. */
import assert from "node:assert/strict";
import { pod } from "../../admission/_hooks.ts";
import { allowed, withPolicy } from "../../admission/_images.ts";
import type { Said } from "../../fixture/hooks.ts";
import { tableOf } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

interface ImageCase {
  readonly image: string;
  /** Of the plugin's configuration. */
  readonly settings?: Loose;
  readonly says?: (spec: Loose) => Said;
  /** Expected: the status, and how often the webhook was asked. */
  readonly status: number;
  readonly asked: number;
  /** Pods that were made before. */
  readonly before?: readonly string[];
}

const broken = (): Said => ({ status: 400, text: "" });
const odd: Said = { status: 200, text: '{"status": {"allowed": "false"}}' };
const ON = ["--enable-admission-plugins=ImagePolicyWebhook"];

tableOf<ImageCase>("ImagePolicyWebhook", {
  on: {
    "an image that may run": { image: "good", status: 201, asked: 1 },
    "one that may not": { image: "bad", status: 403, asked: 1 },
  },
  edge: {
    "an answer that is kept": { before: ["good"], image: "good", status: 201, asked: 1 },
    "an answer of another type": { image: "good", says: () => odd, status: 403, asked: 1 },
    "a webhook that fails": { image: "good", says: broken, status: 403, asked: 1 },
  },
  config: {
    "failures may let pass": { settings: { defaultAllow: true }, image: "good", says: broken, status: 201, asked: 1 },
    "answers need not be kept": {
      settings: { allowTTL: -1 },
      before: ["good"],
      image: "good",
      status: 201,
      asked: 2,
    },
  },
  dryRun: { "asked all the same": { image: "bad", status: 403, asked: 1 } },
  off: { "nobody is asked": { image: "bad", status: 201, asked: 0 } },
}, async (sort, { image, settings = {}, says = allowed, status, asked, before = [] }) => {
  const path = `/api/v1/namespaces/default/pods`;
  const body = (name: string, of: string) => pod(name, { spec: { containers: [{ name: "c", image: of }] } });
  await withPolicy(settings, says, async (t, calls) => {
    for (const [i, of] of before.entries()) await t.fetch(path, { body: body(`before-${i}`, of) });
    const answer = await t.fetch(sort === "dryRun" ? `${path}?dryRun=All` : path, { body: body("p", image) });
    assert.equal(answer.status, status, answer.text);
    assert.equal(calls().length, asked);
  }, sort === "off" ? [] : ON);
});
