/** Service account tokens that a plugin signs (`--service-account-signing-endpoint`). */
import assert from "node:assert/strict";
import * as grpc from "../libraries/grpc.ts";
import { type ExternalSigner, SignerMetrics } from "../../server/authentication/external_signer/mod.ts";
import { SignerKeys } from "../../server/authentication/external_signer/keys.ts";
import { signedBy } from "../../server/authentication/external_signer/header.ts";
import { type Options, parseOptions } from "../../server/options/mod.ts";
import { expirationWarnings, openSigner } from "../../server/options/signer.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { signerKey, SignerPlugin } from "./signer_plugin.ts";

const parsed = (...flags: string[]) => parseOptions(["--api-dialect=kubernetes", ...flags]);

function optionsOf(...flags: string[]): Options {
  const result = parsed(...flags);
  assert.equal(result.kind, "run", JSON.stringify(result));
  if (result.kind !== "run") throw new Error();
  return result.options;
}

interface Stage {
  readonly plugin: SignerPlugin;
  /** ms added to the clock. */
  shift: number;
  readonly logged: string[];
  open(...flags: string[]): Promise<ExternalSigner>;
}

async function stage(run: (s: Stage) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const plugin = new SignerPlugin(`${dir}/signer.sock`);
  await plugin.start();
  const opened: ExternalSigner[] = [];
  const s: Stage = {
    plugin,
    shift: 0,
    logged: [],
    open: async (...flags) => {
      const options = optionsOf(`--service-account-signing-endpoint=${plugin.path}`, ...flags);
      const now = () => Date.now() + s.shift;
      const signer = await openSigner(options, { now, log: (level, text) => s.logged.push(`${level}: ${text}`) });
      opened.push(signer!);
      return signer!;
    },
  };
  try {
    await run(s);
  } finally {
    for (const signer of opened) signer.close();
    await plugin.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

const ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/robot";

interface Serving {
  readonly t: TestServer;
  token(spec?: Record<string, unknown>): ReturnType<TestServer["fetch"]>;
  review(token: string): Promise<Record<string, unknown>>;
}

/** A server with that signer, and a service account. */
async function serving(signer: ExternalSigner, run: (s: Serving) => Promise<void>, ...flags: string[]): Promise<void> {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount", ...flags], { signer });
  const { status } = await t.fetch("/api/v1/namespaces/default/serviceaccounts", {
    body: { metadata: { name: "robot" } },
  });
  assert.equal(status, 201);
  try {
    await run({
      t,
      token: (spec = {}) => t.fetch(`${ACCOUNT}/token`, { body: { spec } }),
      review: async (token) =>
        (await t.fetch("/apis/authentication.k8s.io/v1/tokenreviews", { body: { spec: { token } } })).body["status"],
    });
  } finally {
    await t.stop();
  }
}

const part = (token: string, i: number): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(token.split(".")[i]!, { alphabet: "base64url" })));

Deno.test("a token has the server's claims and the signer's header, and is believed", () =>
  stage(async (s) => {
    const signer = await s.open();
    await serving(signer, async ({ token, review, t }) => {
      const answer = await token({ audiences: ["https://kubernetes.default.svc"] });
      assert.equal(answer.status, 201);
      const text: string = answer.body["status"].token;
      assert.deepEqual(part(text, 0), { alg: "ES256", typ: "JWT", kid: "key-1" });
      const claims = part(text, 1);
      assert.deepEqual(Object.keys(claims), ["aud", "exp", "iat", "iss", "jti", "kubernetes.io", "nbf", "sub"]);
      assert.equal(claims["iss"], "https://kubernetes.default.svc");
      assert.equal(claims["sub"], "system:serviceaccount:default:robot");
      assert.deepEqual(Object.keys(claims["kubernetes.io"] as object), ["namespace", "serviceaccount"]);
      assert.equal(s.plugin.claims, JSON.stringify(claims));
      const reviewed = await review(text);
      assert.equal(reviewed["authenticated"], true);
      const metrics = (await t.fetch("/metrics")).text;
      assert.match(metrics, /^apiserver_externaljwt_sign_request_total\{code="OK"\} 1$/m);
      assert.match(metrics, /^apiserver_externaljwt_fetch_keys_request_total\{code="OK"\} 1$/m);
      assert.match(metrics, /^apiserver_externaljwt_fetch_keys_data_timestamp 1700000000\.5$/m);
      assert.match(metrics, /^apiserver_externaljwt_fetch_keys_success_timestamp \d/m);
      assert.match(
        metrics,
        /^apiserver_externaljwt_request_duration_seconds_count\{method="\/v1\.ExternalJWTSigner\/Sign",code="OK"\} 1$/m,
      );
    });
  }));

Deno.test("a key that is not known is asked for; one that is gone verifies nothing", () =>
  stage(async (s) => {
    const signer = await s.open();
    await serving(signer, async ({ token, review }) => {
      const before: string = (await token()).body["status"].token;
      s.plugin.keys = [signerKey("key-2"), ...s.plugin.keys];
      const after: string = (await token()).body["status"].token;
      assert.equal(part(after, 0)["kid"], "key-2");
      assert.equal(s.plugin.count("FetchKeys"), 2);
      assert.equal((await review(after))["authenticated"], true);
      assert.equal(s.plugin.count("FetchKeys"), 2);
      s.plugin.keys = s.plugin.keys.slice(0, 1);
      await signer.keys.fetch();
      assert.notEqual((await review(before))["authenticated"], true);
      assert.equal(s.plugin.count("FetchKeys"), 4, "the missing key is asked for once more");
    });
  }));

Deno.test("keys are asked for again when the signer says so", () =>
  stage(async (s) => {
    s.plugin.refreshHint = 1;
    await s.open();
    while (s.plugin.count("FetchKeys") < 3) await new Promise((done) => setTimeout(done, 50));
  }));

Deno.test("keys stay as they were while the signer fails", () =>
  stage(async (s) => {
    const signer = await s.open();
    await serving(signer, async ({ token, review, t }) => {
      const made: string = (await token()).body["status"].token;
      s.plugin.failure = grpc.status.UNAVAILABLE;
      assert.equal((await review(made))["authenticated"], true);
      const failed = await token();
      assert.equal(failed.status, 500);
      assert.equal(failed.body["reason"], "InternalError");
      assert.match(failed.body["message"], /failed to generate token/);
      assert.deepEqual(await signer.keys.keys("other"), []);
      assert.match(s.logged.join(), /error: the keys/);
      const metrics = (await t.fetch("/metrics")).text;
      assert.match(metrics, /^apiserver_externaljwt_sign_request_total\{code="Unavailable"\} 1$/m);
      assert.match(metrics, /^apiserver_externaljwt_fetch_keys_request_total\{code="Unavailable"\} 1$/m);
    });
  }));

Deno.test("those who ask for keys at the same time share a call", () =>
  stage(async (s) => {
    const signer = await s.open();
    await Promise.all([1, 2, 3].map(() => signer.keys.keys("none")));
    assert.equal(s.plugin.count("FetchKeys"), 2);
  }));

Deno.test("ids that are made up have the signer asked once a second, and whoever has a new key waits for that", async () => {
  const told = [signerKey("first")];
  let now = 1_000_000, asked = 0;
  const keys = new SignerKeys({
    caller: {
      call: <_, R>() => {
        asked++;
        return Promise.resolve({ keys: [...told], timestamp: { seconds: 1 }, refreshHint: 3600 } as R);
      },
      close() {},
    },
    metrics: new SignerMetrics(),
    now: () => now,
    failed: (e) => assert.fail(e as Error),
    wait: (ms) => Promise.resolve(void (now += ms)),
  });
  await keys.start();
  try {
    for (let i = 0; i < 10; i++) assert.deepEqual(await keys.keys(`made-up-${i}`), []);
    assert.equal(asked, 11);
    assert.equal(now, 1_010_000);
    told.push(signerKey("second"));
    assert.equal((await keys.keys("second")).length, 1);
    now = 0;
    assert.deepEqual(await keys.keys("made-up"), []);
    assert.equal(now, 1_000, "the clock was put back");
  } finally {
    keys.close();
  }
});

Deno.test("keys are asked for when the signer says, be that in years, and soon again after a failure, until the end", async () => {
  let refreshHint = 3600, fails = false;
  const told: unknown[] = [], waits: number[] = [], { setTimeout } = globalThis;
  let again = () => {};
  const keys = new SignerKeys({
    caller: {
      call: <_, R>() =>
        fails
          ? Promise.reject(new Error("away"))
          : Promise.resolve({ keys: [signerKey("first")], timestamp: { seconds: 1 }, refreshHint } as R),
      close() {},
    },
    metrics: new SignerMetrics(),
    now: () => 0,
    failed: (e) => told.push(e),
  });
  globalThis.setTimeout = ((call: () => void, ms: number) => {
    waits.push(ms);
    again = call;
    return 0;
  }) as unknown as typeof setTimeout;
  const next = async () => {
    again();
    await new Promise((done) => setTimeout(done));
    return waits.splice(0);
  };
  try {
    await keys.start();
    assert.deepEqual(waits.splice(0), [3_600_000]);
    refreshHint = 2 ** 40;
    assert.deepEqual(await next(), [2 ** 31 - 1]);
    fails = true;
    assert.deepEqual([await next(), await next(), told.length], [[10_000], [10_000], 2]);
    assert.equal((await keys.keys("first")).length, 1, "what is known stays");
    fails = false;
    refreshHint = 60;
    assert.deepEqual(await next(), [60_000]);
    keys.close();
    assert.deepEqual(await next(), []);
  } finally {
    globalThis.setTimeout = setTimeout;
    keys.close();
  }
});

Deno.test("discovery shows the signer's keys, but for those that only verify, as long as the signer says", () =>
  stage(async (s) => {
    s.plugin.keys.push({ ...signerKey("old"), excluded: true });
    const signer = await s.open();
    await serving(signer, async ({ t }) => {
      const jwks = async () => (await t.fetch("/openid/v1/jwks")).body["keys"].map((k: { kid: string }) => k.kid);
      assert.deepEqual(await jwks(), ["key-1"]);
      const { headers, body } = await t.fetch("/.well-known/openid-configuration");
      assert.deepEqual(body["id_token_signing_alg_values_supported"], ["ES256"]);
      const age = Number(/^public, max-age=(\d+)$/.exec(headers.get("cache-control")!)![1]);
      assert.ok(age > 0 && age <= 60, String(age));
      s.plugin.keys = [signerKey("key-2"), ...s.plugin.keys];
      await signer.keys.fetch();
      assert.deepEqual(await jwks(), ["key-2", "key-1"]);
      s.plugin.keys = s.plugin.keys.map((k) => ({ ...k, excluded: true }));
      await signer.keys.fetch();
      assert.deepEqual(await jwks(), ["key-2", "key-1"], "nothing to publish: what was published stands");
      s.shift = 3_600_000;
      const late = await t.fetch("/openid/v1/jwks");
      assert.equal(late.headers.get("cache-control"), "public, max-age=0");
    });
  }));

const REFUSED: readonly [what: string, lie: (p: SignerPlugin) => void, why: RegExp][] = [
  ["a key that only verifies", (p) => p.keys = [{ ...p.keys[0]!, excluded: true }], /only verifies/],
  ["no signature", (p) => p.signature = "", /no signature/],
  ["another type", (p) => p.header = { typ: "JWS" }, /type/],
  ["no key", (p) => p.header = { kid: "" }, /no key/],
  ["a long name of a key", (p) => p.header = { kid: "k".repeat(1025) }, /1024/],
  ["no signing at all", (p) => p.header = { alg: "none" }, /algorithm/],
  ["another algorithm", (p) => p.header = { alg: "HS256" }, /algorithm/],
  ["another member", (p) => p.header = { crit: ["a"] }, /crit/],
  ["no JSON", (p) => p.header = "{", /no JSON/],
  ["no object", (p) => p.header = "[]", /no JSON object/],
];
for (const [what, lie, why] of REFUSED) {
  Deno.test(`a signer's answer is refused: ${what}`, () =>
    stage(async (s) => {
      const signer = await s.open();
      lie(s.plugin);
      await signer.keys.fetch();
      const claims = { subject: "s", audiences: ["a"], issuedAt: 1, expiresAt: 2, id: "i", private: {} };
      await assert.rejects(signer.sign(claims), why);
    }));
}

Deno.test("a header has no padding, and no other alphabet", () => {
  const text = '{"alg":"ES256","typ":"JWT","kid":"a"}';
  const header = new TextEncoder().encode(text).toBase64({ alphabet: "base64url" });
  assert.match(header, /=$/);
  assert.throws(() => signedBy(header));
  assert.equal(signedBy(header.replace(/=+$/, "")), "a");
});

Deno.test("a caller that goes away ends the call", () =>
  stage(async (s) => {
    const signer = await s.open();
    const claims = { subject: "s", audiences: ["a"], issuedAt: 1, expiresAt: 2, id: "i", private: {} };
    await assert.rejects(signer.sign(claims, AbortSignal.abort()), /Canceled/);
  }));

const UNFIT: readonly [what: string, lie: (p: SignerPlugin) => void, why: RegExp][] = [
  ["no keys", (p) => p.keys = [], /no keys/],
  ["no refresh hint", (p) => p.refreshHint = 0, /refresh hint/],
  ["no age of the keys", (p) => p.timestamp = undefined, /how old/],
  ["an age that is none", (p) => p.timestamp = { seconds: 1, nanos: -1 }, /how old/],
  ["a key without a name", (p) => p.keys = [{ ...p.keys[0]!, keyId: "" }], /id has 0 bytes/],
  ["an empty key", (p) => p.keys = [{ ...p.keys[0]!, key: new Uint8Array() }], /is empty/],
  ["a key that is none", (p) => p.keys = [{ ...p.keys[0]!, key: Uint8Array.of(1, 2) }], /./],
  ["lives that are too short", (p) => p.maxSeconds = 599, /599/],
  ["a failure", (p) => p.failure = grpc.status.PERMISSION_DENIED, /PermissionDenied/],
];
for (const [what, lie, why] of UNFIT) {
  Deno.test(`a server does not start by a signer with ${what}`, () =>
    stage(async (s) => {
      lie(s.plugin);
      await assert.rejects(s.open(), why);
      await assert.rejects(s.open(), /--service-account-signing-endpoint: /);
    }));
}

Deno.test("the signer bounds the lives of tokens", () =>
  stage(async (s) => {
    s.plugin.maxSeconds = 7200;
    const signer = await s.open();
    await serving(signer, async ({ token, t }) => {
      const answer = await token({ expirationSeconds: 10_000 });
      assert.match(answer.warnings.join(), /7200/);
      assert.equal(answer.body["spec"].expirationSeconds, 7200);
      const pod = {
        metadata: { name: "p" },
        spec: { serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] },
      };
      const made = await t.fetch("/api/v1/namespaces/default/pods", { body: pod });
      assert.equal(made.status, 201, made.text);
      const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
      const lives = async (spec: Record<string, unknown>) => {
        const { token: text } = (await token({ boundObjectRef, ...spec })).body["status"];
        const { exp, iat } = part(text, 1) as { exp: number; iat: number };
        return exp - iat;
      };
      assert.equal(await lives({ expirationSeconds: 3607 }), 7200);
      assert.equal(await lives({ expirationSeconds: 3607, audiences: ["other"] }), 3607);
      assert.equal(await lives({ expirationSeconds: 3606 }), 3606);
    });
    await assert.rejects(s.open("--service-account-max-token-expiration=3h"), /max-token-expiration/);
    await s.open("--service-account-max-token-expiration=1h");
  }));

Deno.test("what an operator is told of the lives of tokens", () => {
  const warnings = (signer: number | undefined, ...flags: string[]) => expirationWarnings(optionsOf(...flags), signer);
  assert.deepEqual(warnings(undefined), []);
  assert.equal(warnings(3600).length, 2);
  assert.equal(warnings(86_400).length, 1);
  assert.equal(warnings(undefined, "--service-account-max-token-expiration=24h").length, 1);
  assert.deepEqual(warnings(600, "--service-account-extend-token-expiration=false"), []);
  assert.deepEqual(warnings(400 * 86_400), []);
});

Deno.test("--service-account-signing-endpoint excludes the key options; an abstract socket has a name", () => {
  const errors = (...flags: string[]) => {
    const result = parsed(...flags);
    return result.kind === "errors" ? result.errors.join() : "";
  };
  const endpoint = "--service-account-signing-endpoint";
  assert.equal(errors(`${endpoint}=/run/signer.sock`), "");
  assert.equal(errors(`${endpoint}=@signer.example_1`), "");
  for (const name of ["@", "@a..b", "@a b", "@.a"]) assert.match(errors(`${endpoint}=${name}`), /abstract/, name);
  assert.match(errors(`${endpoint}=/s`, "--service-account-signing-key-file=/k"), /cannot go with/);
  assert.match(errors(`${endpoint}=/s`, "--service-account-key-file=/k"), /cannot go with/);
});
