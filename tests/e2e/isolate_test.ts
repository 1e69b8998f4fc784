/** The server in an isolate: `deno task build-edge`, and the files that docs/edge.md shows, in workerd. */
import assert from "node:assert/strict";
import { freePort } from "../fixture/free_port.ts";
import type { Loose } from "../fixture/loose.ts";
import { Printed } from "./_process.ts";
import { until } from "./_server.ts";

const ROOT = new URL("../../", import.meta.url);
const ADDRESS = "127.0.0.1:8000";
/** Not a dependency of the project: what is one is fetched by whoever starts the server, and this is larger than all others. */
const WORKERD = "npm:workerd@1.20261117.1";

Deno.test("an isolate: what is read, written, applied, watched and deleted in workerd, as docs/edge.md says", async (test) => {
  const dir = await Deno.makeTempDir({ prefix: "orch-isolate-" });
  try {
    const host = await started(dir, freePort());
    try {
      for (const [name, step] of Object.entries(STEPS)) await test.step(name, () => step(host));
    } finally {
      await host.stop();
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

/** A host with the server in it. */
interface Host {
  /** A request with the token of the documents, or another one (null: none); its answer. */
  ask(path: string, init?: RequestInit, token?: string | null): Promise<Response>;
  /** The same; what the answer holds. It must be a good one. */
  json(path: string, init?: RequestInit, token?: string): Promise<Loose>;
  stop(): Promise<void>;
}

/** Where the program is, once it is fetched. */
async function workerd(): Promise<string> {
  const script = `import workerd from "${WORKERD}"; console.log(workerd.default);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-lock", script], stderr: "inherit" })
    .output();
  return new TextDecoder().decode(stdout).trim();
}

/** Builds the module and runs the host on a port. */
async function started(dir: string, port: number): Promise<Host> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const args = tasks["build-edge"].replace(/^deno /, "").replace("dist/edge.js", `${dir}/edge.js`).split(" ");
  const built = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT, stdout: "null", stderr: "piped" }).output();
  assert.equal(built.code, 0, new TextDecoder().decode(built.stderr));
  const page = await Deno.readTextFile(new URL("docs/edge.md", ROOT));
  const shown = (language: string) => page.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
  assert.ok(shown("capnp").includes(ADDRESS));
  await Deno.writeTextFile(`${dir}/worker.js`, shown("js"));
  await Deno.writeTextFile(`${dir}/workerd.capnp`, shown("capnp").replace(ADDRESS, `127.0.0.1:${port}`));
  const child = new Deno.Command(await workerd(), {
    args: ["serve", "workerd.capnp"],
    cwd: dir,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const process = new Printed(child, "workerd");
  const ask: Host["ask"] = (path, init, token = "secret") =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: {
        "accept-encoding": "identity",
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...init?.headers as Record<string, string>,
      },
    });
  await until("workerd serves", () =>
    ask("/readyz").then(async (r) => await r.text() === "ok", () => {
      if (process.text.includes("error")) throw new Error(process.text);
      return false;
    }));
  return {
    ask,
    async json(path, init, token) {
      const answer = await ask(path, init, token), text = await answer.text();
      assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    // Asked to end, it waits for as long as anything works in it.
    stop: () => process.stop("SIGKILL"),
  };
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

const STEPS: Readonly<Record<string, (host: Host) => Promise<void>>> = {
  "nobody's requests are refused, and a service account's token is known": async ({ ask, json }) => {
    const refused = await ask(MAPS, {}, null);
    assert.deepEqual([refused.status, (await refused.json()).reason], [403, "Forbidden"]);
    const { status } = await json("/api/v1/namespaces/default/serviceaccounts/default/token", post({}));
    const own = await json("/apis/authentication.k8s.io/v1/selfsubjectreviews", post({}), status.token);
    assert.equal(own.status.userInfo.username, "system:serviceaccount:default:default");
  },
  "a watch tells of what is created, applied and deleted": async ({ ask, json }) => {
    await json(MAPS, post({ metadata: { name: "a" }, data: { k: "v" } }));
    const rest = new AbortController();
    const watch = await ask(`${MAPS}?watch=1&fieldSelector=metadata.name=a`, { signal: rest.signal });
    const events = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => {
      const { type, object } = JSON.parse((await events.read()).value!);
      return [type, object.data];
    };
    assert.deepEqual(await next(), ["ADDED", { k: "v" }]);
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { l: "w" } });
    const type = { "content-type": "application/apply-patch+yaml" };
    await json(`${MAPS}/a?fieldManager=test`, { method: "PATCH", headers: type, body });
    assert.deepEqual(await next(), ["MODIFIED", { k: "v", l: "w" }]);
    await json(`${MAPS}/a`, { method: "DELETE" });
    assert.deepEqual(await next(), ["DELETED", { k: "v", l: "w" }]);
    rest.abort();
  },
  "objects of a definition are served, and held to its rules": async ({ ask, json }) => {
    const schema = {
      type: "object",
      properties: { size: { type: "integer", "x-kubernetes-validations": [{ rule: "self < 10" }] } },
    };
    await json(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      post({
        metadata: { name: "boxes.example.com" },
        spec: {
          group: "example.com",
          names: { plural: "boxes", kind: "Box" },
          scope: "Namespaced",
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      }),
    );
    const boxes = "/apis/example.com/v1/namespaces/default/boxes";
    await until("boxes are served", async () => {
      const answer = await ask(boxes);
      await answer.body?.cancel();
      return answer.ok;
    });
    const box = (name: string, size: number) =>
      post({ apiVersion: "example.com/v1", kind: "Box", metadata: { name }, size });
    await json(boxes, box("small", 9));
    const refused = await ask(boxes, box("large", 10));
    assert.deepEqual([refused.status, (await refused.json()).details.causes[0].field], [422, "size"]);
  },
  "a namespace goes with all that is in it": async ({ ask, json }) => {
    await json("/api/v1/namespaces", post({ metadata: { name: "gone" } }));
    await json("/api/v1/namespaces/gone/configmaps", post({ metadata: { name: "a" } }));
    await json("/api/v1/namespaces/gone", { method: "DELETE" });
    await until("the namespace is gone", async () => {
      const answer = await ask("/api/v1/namespaces/gone");
      await answer.body?.cancel();
      return answer.status === 404;
    });
  },
};
