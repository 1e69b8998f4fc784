import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { StatusError } from "../../schema/status.ts";
import { authenticationChain, type ChainOptions, withAuthenticated } from "../../server/authentication/chain.ts";
import { TokenError, tokenMethod } from "../../server/authentication/token.ts";
import { cachedTokens } from "../../server/authentication/token_cache.ts";
import { unionTokens } from "../../server/authentication/union.ts";
import { tokenFile } from "../../server/authentication/token_file.ts";
import type { Authenticator } from "../../server/authentication/types.ts";
import { TokenCacheMetrics } from "../../server/metrics/token_cache.ts";
import { connection, request } from "./fixture.ts";

const product = productOf("orch");
const plain = connection();
const yes = (name: string): Authenticator => ({ name, authenticate: () => ({ user: { name, groups: [] } }) });
const no: Authenticator = { name: "no", authenticate: () => undefined };
const bad: Authenticator = {
  name: "bad",
  authenticate: () => {
    throw new Error("bad");
  },
};
const later = (inner: Authenticator): Authenticator => ({
  name: "later",
  authenticate: async (r, c) => await inner.authenticate(r, c),
});

async function ask(options: Partial<ChainOptions>, path = "/api"): Promise<string> {
  const chain = authenticationChain({ methods: [], anonymous: { enabled: true }, ...options });
  try {
    const user = await chain(request(), plain, path);
    return `${user.name} ${user.groups.join(",")}`;
  } catch (e) {
    assert.ok(e instanceof StatusError);
    assert.equal(e.reason, "Unauthorized");
    return String(e.code);
  }
}

Deno.test("the first that knows the caller wins; who is known is authenticated", async () => {
  assert.equal(await ask({ methods: [no, yes("a"), yes("b")] }), "a system:authenticated");
  assert.equal(await ask({ methods: [bad, later(bad), later(yes("a"))] }), "a system:authenticated");
  assert.equal(await ask({ methods: [no, later(no)] }), "system:anonymous system:unauthenticated");
});

Deno.test("who is told to be authenticated, or not to be, and who has no name, is not made authenticated", () => {
  for (
    const [name, groups, more] of [
      ["ann", ["a"], ["system:authenticated"]],
      ["ann", ["system:authenticated", "a"], []],
      ["ann", ["system:unauthenticated"], []],
      ["system:anonymous", [], []],
    ] as const
  ) assert.deepEqual(withAuthenticated({ name, groups }), { name, groups: [...groups, ...more] });
});

Deno.test("what is wrong is never anonymous", async () => {
  assert.equal(await ask({ methods: [bad] }), "401");
  assert.equal(await ask({ methods: [later(bad), no] }), "401");
  assert.equal(await ask({ methods: [no], anonymous: { enabled: false } }), "401");
  const anonymous = { enabled: true, paths: ["/livez"] };
  assert.equal(await ask({ anonymous }, "/livez"), "system:anonymous system:unauthenticated");
  assert.equal(await ask({ anonymous }, "/livez/x"), "401");
});

Deno.test("a synchronous chain answers without a promise", () => {
  const chain = authenticationChain({ methods: [yes("a")], anonymous: { enabled: false } });
  assert.equal((chain(request(), plain, "/") as { name: string }).name, "a");
});

Deno.test("static tokens", () => {
  const file = tokenFile('t1,ann,u1,"g1, g2"\n# t9,x,y\n\n"t,2",bob,u2\n', ["api"]);
  assert.deepEqual(file.authenticateToken("t1", ["api", "x"]), {
    user: { name: "ann", uid: "u1", groups: ["g1", "g2"] },
    audiences: ["api"],
  });
  assert.deepEqual(file.authenticateToken("t,2", []), { user: { name: "bob", uid: "u2", groups: [] } });
  assert.equal(file.authenticateToken("t1", ["other"]), undefined);
  assert.equal(file.authenticateToken("t", []), undefined);
  assert.throws(() => tokenFile("a,b\n", []), /line 1: should have at least/);
  assert.throws(() => tokenFile('\n"a,b,c\n', []), /line 2: a quoted field does not end/);
  const odd = tokenFile(',root,0,system:masters\n#x,eve,1\nt,a,1,", g ,"\nt,b,,\n', []);
  for (const none of ["", "#x"]) assert.equal(odd.authenticateToken(none, []), undefined, "no token, a comment");
  assert.deepEqual(
    odd.authenticateToken("t", []),
    { user: { name: "b", groups: [] } },
    "the last line of a token counts",
  );
  const grouped = tokenFile('t,a,1,", g ,"', []).authenticateToken("t", []);
  assert.deepEqual(grouped, { user: { name: "a", uid: "1", groups: ["g"] } });
});

Deno.test("of several kinds of token the first that knows one answers, and what all say against it is told together", async () => {
  const kind = (name: string, answer: string | Error | undefined) => ({
    name,
    authenticateToken: () => {
      if (answer instanceof Error) throw answer;
      return answer === undefined ? undefined : { user: { name: answer, groups: [] } };
    },
  });
  const [broken, other, none] = [kind("x", new Error("one")), kind("y", new Error("two")), kind("z", undefined)];
  const ask = async (...kinds: ReturnType<typeof kind>[]) =>
    (await unionTokens(kinds).authenticateToken("t", []))?.user.name;
  assert.equal(await ask(broken!, none!, kind("a", "ann"), kind("b", "bob")), "ann");
  assert.equal(await ask(none!), undefined);
  await assert.rejects(ask(broken!, none!), { message: "one" });
  await assert.rejects(
    ask(broken!, none!, other!),
    (e: AggregateError) => e.errors.map((x) => x.message).join() === "one,two",
  );
});

Deno.test("what is to be said of a token that is no good is said, be it good for no kind", async () => {
  const notes = new Map([["old", "ann"]]);
  const errors = [
    new TokenError("one", { remarks: { notes, warnings: ["ends soon"] } }),
    new TokenError("two"),
    new Error("three"),
  ];
  const tokens = unionTokens(errors.map((error) => ({ name: "x", authenticateToken: () => Promise.reject(error) })));
  const chain = authenticationChain({ methods: [tokenMethod(tokens, [], product)], anonymous: { enabled: true } });
  const { headers } = request({ authorization: "Bearer t" });
  const auditAnnotations = new Map<string, string>(), warnings = new Set<string>();
  await assert.rejects(async () => await chain({ headers, auditAnnotations, warnings }, plain, "/"), { code: 401 });
  assert.deepEqual([auditAnnotations, [...warnings]], [notes, ["ends soon"]]);
});

Deno.test("a bearer token by header or WebSocket subprotocol", async () => {
  const chain = authenticationChain({
    methods: [tokenMethod(tokenFile("tök,ann,1\nsecret,bob,2", []), [], product)],
    anonymous: { enabled: true },
  });
  const name = async (headers: Record<string, string>) => {
    try {
      return (await chain(request(headers), plain, "/")).name;
    } catch (e) {
      return String((e as StatusError).code);
    }
  };
  const encoded = new TextEncoder().encode("tök").toBase64({ alphabet: "base64url", omitPadding: true });
  const upgrade = (protocol: string) => ({ upgrade: "websocket", "sec-websocket-protocol": protocol });
  assert.equal(await name({ authorization: "Bearer nope" }), "401");
  assert.equal(await name({ authorization: "Bearer nope and more" }), "401");
  assert.equal(await name({ authorization: "Bearer secret and more" }), "bob");
  assert.equal(await name({ authorization: "Bearer  secret" }), "system:anonymous", "two spaces: passed over");
  const warned = async (authorization: string) => {
    const warnings = new Set<string>();
    await chain({ headers: request({ authorization }).headers, warnings }, plain, "/");
    return [...warnings].join();
  };
  assert.match(await warned("Bearer  secret"), /extra space before the bearer token/);
  assert.equal(await warned("Bearer secret  more"), "");
  assert.equal(await warned("Bearer "), "");
  assert.equal(await name({ authorization: "Basic abc" }), "system:anonymous");
  assert.equal(await name(upgrade(`base64url.bearer.authorization.k8s.io.${encoded}, v5`)), "ann");
  assert.equal(await name(upgrade(`base64url.bearer.authorization.orch.io.${encoded}, v5`)), "ann");
  assert.equal(await name(upgrade(`base64url.bearer.authorization.k8s.io.${encoded}`)), "401");
  assert.equal(await name(upgrade(`base64url.bearer.authorization.k8s.io.!!!, v5`)), "401");
  assert.equal(
    await name({ "sec-websocket-protocol": `base64url.bearer.authorization.k8s.io.${encoded}, v5` }),
    "system:anonymous",
  );
});

Deno.test("answers about tokens are kept, joined, bounded", async () => {
  let calls = 0, now = 0;
  const inner = {
    name: "x",
    authenticateToken: async (t: string) => {
      calls++;
      await Promise.resolve();
      if (t === "broken") throw new Error("broken");
      return t === "bad" ? undefined : { user: { name: t, groups: [] } };
    },
  };
  const cache = cachedTokens(inner, { now: () => now, limits: { successTtl: 10, failureTtl: 5, entries: 2 } });
  const both = await Promise.all([cache.authenticateToken("a", []), cache.authenticateToken("a", [])]);
  assert.deepEqual([both[0]?.user.name, calls], ["a", 1]);
  await cache.authenticateToken("a", ["other audience"]);
  assert.equal(calls, 2);
  assert.equal(await cache.authenticateToken("bad", []), undefined);
  assert.equal(await cache.authenticateToken("bad", []), undefined);
  assert.equal(calls, 3);
  await cache.authenticateToken("a", []); // fell out: two entries
  assert.equal(calls, 4);
  now = 11;
  await cache.authenticateToken("a", []);
  assert.equal(calls, 5);
  now = 5;
  await cache.authenticateToken("a", []);
  assert.equal(calls, 6, "the clock was put back");
  await assert.rejects(async () => await cache.authenticateToken("broken", []));
  await assert.rejects(async () => await cache.authenticateToken("broken", []));
  assert.equal(calls, 8, "an error is not kept");
});

Deno.test("a yes and a no are kept for as long as is said of each, and not at all where that is no time", async () => {
  let calls: string[] = [], now = 0;
  const inner = {
    name: "x",
    authenticateToken: (t: string) => {
      calls.push(t);
      return t === "bad" ? undefined : { user: { name: t, groups: [] } };
    },
  };
  const asked = async (successTtl: number, failureTtl: number, ...at: number[]) => {
    calls = [];
    const cache = cachedTokens(inner, { now: () => now, limits: { successTtl, failureTtl, entries: 2 } });
    for (now of at) for (const token of ["good", "bad"]) await cache.authenticateToken(token, []);
    return calls.join();
  };
  assert.equal(await asked(10, 5, 0, 4), "good,bad");
  assert.equal(await asked(10, 5, 0, 5, 9), "good,bad,bad");
  assert.equal(await asked(5, 10, 0, 5, 9), "good,bad,good");
  assert.equal(await asked(0, 5, 0, 0), "good,bad,good");
  assert.equal(await asked(5, 0, 0, 0), "good,bad,bad");
});

Deno.test("what a cache of tokens comes to is counted: hits, misses, who waits, and what was asked for", async () => {
  let now = 0;
  const waiting: ((e?: Error) => void)[] = [];
  const inner = {
    name: "x",
    authenticateToken: () =>
      new Promise<undefined>((resolve, reject) => waiting.push((e) => e ? reject(e) : resolve(undefined))),
  };
  const counted = new TokenCacheMetrics(() => now), limits = { successTtl: 10, failureTtl: 10, entries: 2 };
  const cache = cachedTokens(inner, { now: () => now, limits, counted });
  const lines = () =>
    counted.rows().flatMap(({ name, samples }) => samples(name)).filter((s) => !s.metricName.endsWith("_bucket"))
      .map(({ metricName, labels, value }) =>
        `${metricName.replace("authentication_token_cache_", "")} ${labels.status} ${value}`
      );
  const asked = [cache.authenticateToken("a", []), cache.authenticateToken("a", []), cache.authenticateToken("b", [])];
  assert.deepEqual(lines(), ["active_fetch_count in_flight 2", "active_fetch_count blocked 3"]);
  now = 5;
  waiting[0]!();
  waiting[1]!(new Error("broken"));
  await Promise.allSettled(asked);
  await cache.authenticateToken("a", []);
  assert.deepEqual(lines(), [
    "active_fetch_count in_flight 0",
    "active_fetch_count blocked 0",
    "fetch_total ok 1",
    "fetch_total error 1",
    "request_total miss 3",
    "request_total hit 1",
    "request_duration_seconds_sum miss 0.015",
    "request_duration_seconds_count miss 3",
    "request_duration_seconds_sum hit 0",
    "request_duration_seconds_count hit 1",
  ]);
});
