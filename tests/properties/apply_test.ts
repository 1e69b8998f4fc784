/** What is applied is read back and owned; applied again, nothing changes; what a manager gives up goes unless another owns it. */
import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { type Kind, KINDS } from "./_objects.ts";
import { APPLY, forSeeds, namespaceOf, ok, type Random, withServer } from "./_runs.ts";
import type { Loose } from "../fixture/loose.ts";

const SEEDS = 25;

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`properties: apply owns what was sent and lets go of the rest, ${name}`, async () => {
    await withServer("memory", async (server) => {
      const namespace = await namespaceOf(server, "apply");
      await forSeeds(
        SEEDS,
        (random, seed) => applied(server, kind, kind.path.replace("{ns}", namespace), random, seed),
      );
    });
  });
}

async function applied(server: TestServer, kind: Kind, path: string, random: Random, seed: number): Promise<void> {
  const name = `x${seed}`;
  const sent = new Map<string, Leaves>();
  for (let round = 0; round < 4; round++) {
    const manager = random.pick(["alice", "bob"]), body = kind.make(random, name);
    const url = `${path}/${name}?fieldManager=${manager}&force=true`;
    const before = sent.size ? leaves(await ok(server, "GET", `${path}/${name}`)) : undefined;
    const gave = sent.get(manager);
    const { status, body: answer, text } = await server.fetch(url, {
      method: "PATCH",
      body,
      headers: { "content-type": APPLY },
    });
    const read = await ok(server, "GET", `${path}/${name}`);
    if (sent.size === 2 && status === 422 && /Required value/.test(text)) {
      // Gave up what it had taken from the other, who still owns the item around it: rightly refused, and nothing changed.
      assert.deepEqual(leaves(read), before);
      continue;
    }
    assert.ok(status < 300, text);
    assert.deepEqual(read, answer, "what is read is what was answered");
    const mine = leaves(body), stands = leaves(read);
    for (const [at, value] of mine) assert.equal(stands.get(at), value, `${at} of ${manager}, round ${round}`);
    sent.set(manager, mine);
    // Whoever forces another value takes the field away.
    for (const theirs of sent.values()) {
      for (const [at, value] of theirs) if (mine.has(at) && mine.get(at) !== value) theirs.delete(at);
    }
    const owned = ownedBy(read, manager);
    for (const at of mine.keys()) {
      if (!IDENTITY.has(at)) {
        assert.ok(owned(at), `${manager} owns ${at}: ${JSON.stringify(read.metadata.managedFields)}`);
      }
    }
    const others = [...sent].filter(([who]) => who !== manager).map(([, theirs]) => theirs);
    for (const at of gave?.keys() ?? []) {
      if (mine.has(at) || DEFAULTED.test(at)) continue;
      // Another manager keeps a field unless it was forced away from it.
      const kept = others.some((o) => o.has(at));
      if (!kept) {
        assert.ok(
          !stands.has(at),
          `${at}, given up by ${manager}, is still ${stands.get(at)} (was ${before?.get(at)})`,
        );
      } else assert.ok(stands.has(at), `${at}, given up by ${manager}, is another's`);
    }
    const again = await ok(server, "PATCH", url, body, APPLY);
    assert.deepEqual(again, read, "applied again, nothing changes, not even the version");
  }
}

/** What everyone has to send. */
const IDENTITY = new Set(["apiVersion", "kind", "metadata.name"]);
/** Fields that get a default again when nobody owns them, or cannot be given up alone. */
const DEFAULTED = /\.(protocol|readOnly|targetPort|replicas)$/;

/** Leaves by path, a service's selector as one; items of lists that are maps by their key are named by it. */
type Leaves = Map<string, string>;

const KEYS: Readonly<Record<string, (item: Loose) => string>> = {
  containers: (i) => i.name,
  initContainers: (i) => i.name,
  volumes: (i) => i.name,
  env: (i) => i.name,
  volumeMounts: (i) => i.mountPath,
  ports: (i) => `${i.containerPort ?? i.port}/${i.protocol ?? "TCP"}`,
};

function leaves(tree: Loose, at = "", out: Leaves = new Map()): Leaves {
  for (const [key, value] of Object.entries(tree) as [string, Loose][]) {
    if (key === "managedFields" || key === "status") continue;
    const here = at ? `${at}.${key}` : key, of = KEYS[key];
    if (Array.isArray(value) && of) value.forEach((item) => leaves(item, `${here}[${of(item)}]`, out));
    else if (key === "selector" && at === "spec" && !value.matchLabels) {
      out.set(here, JSON.stringify(Object.entries(value).sort()));
    } else if (Array.isArray(value) || typeof value !== "object" || Object.keys(value).length === 0) {
      out.set(here, JSON.stringify(value));
    } else leaves(value, here, out);
  }
  return out;
}

/** Whether a manager owns a leaf, or something that holds it. */
function ownedBy(object: Loose, manager: string): (at: string) => boolean {
  const entry = object.metadata.managedFields?.find((m: Loose) => m.manager === manager && m.operation === "Apply");
  const paths = new Set<string>();
  const walk = (fields: Loose, at: string) => {
    for (const [key, inner] of Object.entries(fields) as [string, Loose][]) {
      if (key === ".") continue;
      const name = key.startsWith("f:")
        ? (at ? `.${key.slice(2)}` : key.slice(2))
        : `[${itemName(JSON.parse(key.slice(2)))}]`;
      if (Object.keys(inner).length === 0) paths.add(at + name);
      walk(inner, at + name);
    }
  };
  walk(entry?.fieldsV1 ?? {}, "");
  return (at) => paths.has(at) || [...paths].some((p) => at.startsWith(`${p}.`));
}

const itemName = (key: Loose): string =>
  key.name ?? key.mountPath ?? `${key.containerPort ?? key.port}/${key.protocol ?? "TCP"}`;
