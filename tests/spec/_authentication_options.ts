/** What each option of "Authentication, API server" does, by its row. */
import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { memoryBackend } from "../../server/storage/memory.ts";
import { openSigner } from "../../server/options/signer.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { SignerPlugin } from "../authn/signer_plugin.ts";
import { HOOK_CA, HookServer } from "../fixture/hooks.ts";
import type { Loose } from "../fixture/loose.ts";
import { ca } from "../listen/_fixture.ts";
import {
  bearer,
  claimsOf,
  clientOf,
  CLIENTS_CA,
  connectionTo,
  type From,
  type Identified,
  identified,
  Issuer,
  pemPair,
  strangerOf,
  wrong,
} from "./_identified.ts";

const ANONYMOUS = "system:anonymous";
const TOKENS = 's3cret,bob,7,"dev,ops"\n';

/** Runs with an issuer, and a server that knows of it. Later flags win. */
async function withIssuer(
  flags: readonly string[],
  run: (i: Identified, issuer: Issuer) => Promise<void>,
  authority = ca.cert,
): Promise<void> {
  const issuer = new Issuer();
  try {
    const texts = { "oidc-ca-file": authority };
    const own = [`--oidc-issuer-url=${issuer.url}`, "--oidc-client-id=me", "--anonymous-auth=false"];
    await identified([...own, ...flags], (i) => run(i, issuer), { texts });
  } finally {
    await issuer.stop();
  }
}

/** A configuration of authentication. */
const configuration = (parts: Loose): string =>
  JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthenticationConfiguration", ...parts });
const jwtOf = (issuer: Issuer) => ({
  issuer: { url: issuer.url, audiences: ["me"], certificateAuthority: ca.cert },
  claimMappings: { username: { claim: "sub", prefix: "file:" } },
});

const PROXY = ["--requestheader-username-headers=X-User,X-Other-User", "--anonymous-auth=false"];

/** Runs a server that believes front proxies, by their certificate. */
const withProxy = (flags: readonly string[], run: (i: Identified) => Promise<void>) =>
  identified([...PROXY, ...flags], run, { texts: { "requestheader-client-ca-file": CLIENTS_CA } });
const proxied = (headers: Record<string, string>, peer = clientOf("front")): From => ({
  headers: { "x-user": "ann", ...headers },
  peer,
});

const ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/robot";
const OWN = pemPair();

/** Runs a server that signs tokens of the account `robot`. */
async function withAccount(
  flags: readonly string[],
  run: (i: Identified, token: (spec?: Loose) => Promise<Loose>) => Promise<void>,
  options: Parameters<typeof identified>[2] = {},
): Promise<void> {
  const texts = { "service-account-signing-key-file": OWN.key, ...options.texts };
  await identified(["--disable-admission-plugins=ServiceAccount", ...flags], async (i) => {
    const accounts = ACCOUNT.slice(0, ACCOUNT.lastIndexOf("/"));
    await i.ask(accounts, { body: { metadata: { name: "robot" } } });
    await run(i, async (spec = {}) => {
      const { code, body } = await i.ask(`${ACCOUNT}/token`, { body: { spec } });
      assert.equal(code, 201, body.message);
      return body;
    });
  }, { ...options, texts });
}

const ROBOT = "system:serviceaccount:default:robot";

/** A token of the account as secrets keep one. */
function keptToken(uid: string): Promise<string> {
  const prefix = "kubernetes.io/serviceaccount";
  return new SignJWT({
    iss: "kubernetes/serviceaccount",
    sub: ROBOT,
    [`${prefix}/namespace`]: "default",
    [`${prefix}/secret.name`]: "kept",
    [`${prefix}/service-account.name`]: "robot",
    [`${prefix}/service-account.uid`]: uid,
  }).setProtectedHeader({ alg: "ES256" }).sign(createPrivateKey(OWN.key));
}

/** Runs with a webhook that knows the token `good`. */
async function withTokenHook(
  flags: readonly string[],
  run: (i: Identified, hooks: HookServer, clock: { now: number }) => Promise<void>,
): Promise<void> {
  const hooks = await new HookServer().start(), clock = { now: Date.now() };
  const url = hooks.on("/tokens", ({ body }) => ({
    review: { status: body.spec.token === "good" ? { authenticated: true, user: { username: "hooked" } } : {} },
  }));
  try {
    await identified(flags, (i) => run(i, hooks, clock), {
      texts: { "authentication-token-webhook-config-file": connectionTo(url, HOOK_CA) },
      now: () => clock.now,
    });
  } finally {
    await hooks.stop();
  }
}

/** See the top of the file. */
export const AUTHENTICATION_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--anonymous-auth": async () => {
    await identified([], async ({ who }) => {
      const { username, groups } = await who();
      assert.deepEqual([username, groups], [ANONYMOUS, ["system:unauthenticated"]]);
    });
    await identified(["--anonymous-auth=false"], async ({ name }) => assert.equal(await name(), 401));
    const texts = { "authentication-config": configuration({ anonymous: { enabled: true } }) };
    for (const flag of ["--anonymous-auth=true", "--anonymous-auth=false"]) {
      await assert.rejects(identified([flag], async () => {}, { texts }), /--anonymous-auth/);
    }
    await identified(["--anonymous-auth=false"], async ({ name }) => assert.equal(await name(), 401), {
      texts: { "authentication-config": configuration({}) },
    });
  },
  "--authentication-config": async () => {
    const issuer = new Issuer();
    try {
      const anonymous = { enabled: true, conditions: [{ path: "/livez" }] };
      const texts = { "authentication-config": configuration({ jwt: [jwtOf(issuer)], anonymous }) };
      await identified([], async ({ name, ask }) => {
        assert.equal(await name(await issuer.token()), "file:ann");
        assert.equal((await ask("/livez")).code, 200);
        assert.equal((await ask("/readyz")).code, 401);
      }, { texts });
      for (
        const flags of [
          [`--oidc-issuer-url=${issuer.url}`, "--oidc-client-id=me"],
          ["--oidc-username-claim=sub"],
          ["--oidc-signing-algs=ES256"],
        ]
      ) await assert.rejects(identified(flags, async () => {}, { texts }), /--oidc-/);
      // A file that says nothing of JWTs leaves the options alone.
      await withIssuer([], async () => {});
      const flags = [`--oidc-issuer-url=${issuer.url}`, "--oidc-client-id=me", "--oidc-username-prefix=-"];
      await identified(flags, async ({ name }) => assert.equal(await name(await issuer.token()), "ann"), {
        texts: { "authentication-config": configuration({ anonymous: { enabled: false } }), "oidc-ca-file": ca.cert },
      });
    } finally {
      await issuer.stop();
    }
  },
  "--client-ca-file": async () => {
    const ann = { peer: clientOf("ann", "dev") };
    await identified([], async ({ who, name }) => {
      const { username, groups } = await who(ann);
      assert.deepEqual([username, groups], ["ann", ["dev", "system:authenticated"]]);
      assert.equal(await name({ peer: strangerOf("ann") }), 401);
    }, { texts: { "client-ca-file": CLIENTS_CA } });
    await identified([], async ({ name }) => assert.equal(await name(ann), ANONYMOUS));
  },
  "--token-auth-file": async () => {
    await identified([], async ({ who, name }) => {
      const { username, uid, groups } = await who(bearer("s3cret"));
      assert.deepEqual([username, uid, groups], ["bob", "7", ["dev", "ops", "system:authenticated"]]);
      assert.equal(await name(bearer("other")), 401);
    }, { texts: { "token-auth-file": TOKENS } });
  },
  "--enable-bootstrap-token-auth": async () => {
    const secret = (namespace: string) => ({
      path: `/api/v1/namespaces/${namespace}/secrets`,
      body: {
        metadata: { name: "bootstrap-token-abcdef" },
        type: "bootstrap.kubernetes.io/token",
        stringData: {
          "token-id": "abcdef",
          "token-secret": "0123456789abcdef",
          "usage-bootstrap-authentication": "true",
        },
      },
    });
    const token = bearer("abcdef.0123456789abcdef");
    for (const [flag, namespace, name] of [["", "kube-system", 0], ["=false", "kube-system", 1], ["", "default", 2]]) {
      await identified([`--enable-bootstrap-token-auth${flag}`], async (i) => {
        const { path, body } = secret(namespace as string);
        assert.equal((await i.ask(path, { body })).code, 201);
        assert.equal(await i.name(token), ["system:bootstrap:abcdef", ANONYMOUS, 401][name as number]);
        if (name === 0) assert.ok((await i.who(token)).groups!.includes("system:bootstrappers"));
      });
    }
  },
  "--authentication-token-webhook-config-file": () =>
    withTokenHook([], async ({ name }, hooks) => {
      assert.equal(await name(bearer("good")), "hooked");
      assert.equal(await name(bearer("bad")), 401);
      assert.deepEqual(hooks.asked.map((a) => a.body.spec.token), ["good", "bad"]);
    }),
  "--authentication-token-webhook-version": async () => {
    for (const [flags, version] of [[[], "v1beta1"], [["v1"], "v1"]] as const) {
      await withTokenHook(flags.map((v) => `--authentication-token-webhook-version=${v}`), async ({ name }, hooks) => {
        await name(bearer("good"));
        const { apiVersion, kind } = hooks.asked[0]!.body;
        assert.deepEqual([apiVersion, kind], [`authentication.k8s.io/${version}`, "TokenReview"]);
      });
    }
    wrong("--authentication-token-webhook-version=v2");
  },
  "--authentication-token-webhook-cache-ttl": async () => {
    for (const [flags, ttl] of [[[], 120], [["--authentication-token-webhook-cache-ttl=40s"], 40]] as const) {
      await withTokenHook(flags, async ({ name }, hooks, clock) => {
        await name(bearer("good"));
        clock.now += ttl * 1000 - 1;
        await name(bearer("good"));
        assert.equal(hooks.asked.length, 1);
        clock.now += 10_001; // what the server found good it believes for ten seconds more
        await name(bearer("good"));
        assert.equal(hooks.asked.length, 2);
      });
    }
  },
  "--oidc-issuer-url": async () => {
    await withIssuer([], async ({ name }, issuer) => {
      assert.equal(await name(await issuer.token()), `${issuer.url}#ann`);
      assert.equal(await name(await issuer.token({ iss: "https://else.example" })), 401);
    });
    wrong("--oidc-issuer-url=http://plain.example", "--oidc-client-id=me");
  },
  "--oidc-client-id": async () => {
    await withIssuer(["--oidc-client-id=you"], async ({ name }, issuer) => {
      assert.equal(await name(await issuer.token()), 401);
      assert.equal(await name(await issuer.token({ aud: ["else", "you"] })), `${issuer.url}#ann`);
    });
    wrong("--oidc-issuer-url=https://i.example");
  },
  "--oidc-ca-file": async () => {
    await withIssuer(
      [],
      async ({ name }, issuer) => assert.equal(await name(await issuer.token()), `${issuer.url}#ann`),
    );
    await withIssuer([], async ({ name }, issuer) => assert.equal(await name(await issuer.token()), 401), CLIENTS_CA);
  },
  "--oidc-username-claim": () =>
    withIssuer(["--oidc-username-claim=email"], async ({ name }, issuer) => {
      assert.equal(await name(await issuer.token({ email: "ann@example.com" })), "ann@example.com"); // without a prefix
      assert.equal(await name(await issuer.token()), 401);
      assert.equal(await name(await issuer.token({ email: "ann@example.com", email_verified: false })), 401);
    }),
  "--oidc-username-prefix": async () => {
    for (const [prefix, name] of [["-", "ann"], ["corp:", "corp:ann"]] as const) {
      await withIssuer([`--oidc-username-prefix=${prefix}`], async (i, issuer) => {
        assert.equal(await i.name(await issuer.token()), name);
      });
    }
  },
  "--oidc-groups-claim, --oidc-groups-prefix": () =>
    withIssuer(["--oidc-groups-claim=roles", "--oidc-groups-prefix=corp:"], async ({ who }, issuer) => {
      const groups = async (roles: unknown) => (await who(await issuer.token({ roles }))).groups;
      assert.deepEqual(await groups(["a", "b"]), ["corp:a", "corp:b", "system:authenticated"]);
      assert.deepEqual(await groups("c"), ["corp:c", "system:authenticated"]);
      assert.deepEqual(await groups(undefined), ["system:authenticated"]);
    }),
  "--oidc-required-claim": async () => {
    const two = ["--oidc-required-claim=hd=example", "--oidc-required-claim=tier=gold"];
    await withIssuer(two, async ({ name }, issuer) => {
      assert.equal(await name(await issuer.token({ hd: "example", tier: "gold" })), `${issuer.url}#ann`);
      for (const claims of [{}, { hd: "example" }, { hd: "else", tier: "gold" }]) {
        assert.equal(await name(await issuer.token(claims)), 401);
      }
    });
    // A value keeps its commas: a name in a directory is one.
    await withIssuer(["--oidc-required-claim=dn=ou=a,dc=b"], async ({ name }, issuer) => {
      assert.equal(await name(await issuer.token({ dn: "ou=a,dc=b" })), `${issuer.url}#ann`);
      assert.equal(await name(await issuer.token({ dn: "ou=a", dc: "b" })), 401);
    });
  },
  "--oidc-signing-algs": async () => {
    for (const [flags, taken] of [[[], "RS256"], [["--oidc-signing-algs=ES256"], "ES256"]] as const) {
      await withIssuer(flags, async ({ name }, issuer) => {
        for (const alg of ["RS256", "ES256"] as const) {
          assert.equal(await name(await issuer.token({}, alg)), alg === taken ? `${issuer.url}#ann` : 401);
        }
      });
    }
    // Which algorithms are good the option says alone, whatever the issuer says of its key.
    await withIssuer(["--oidc-signing-algs=RS384,PS512"], async ({ name }, issuer) => {
      for (const alg of ["RS384", "PS512"] as const) {
        assert.equal(await name(await issuer.token({}, alg)), `${issuer.url}#ann`, alg);
      }
      for (const alg of ["RS256", "RS512", "PS256"] as const) {
        assert.equal(await name(await issuer.token({}, alg)), 401, alg);
      }
    });
    const beside = ["--oidc-issuer-url=https://a", "--oidc-client-id=me", "--service-cluster-ip-range=10.0.0.0/24"];
    for (const alg of ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"]) {
      assert.equal(parseOptions([`--oidc-signing-algs=${alg}`, ...beside]).kind, "run");
    }
    for (const alg of ["HS256", "none"]) wrong(`--oidc-signing-algs=${alg}`);
  },
  "--requestheader-username-headers": () =>
    withProxy([], async ({ name }) => {
      assert.equal(await name(proxied({})), "ann");
      assert.equal(await name({ headers: { "x-other-user": "bob" }, peer: clientOf("front") }), "bob");
      assert.equal(await name({ headers: { "x-remote-user": "bob" }, peer: clientOf("front") }), 401);
    }),
  "--requestheader-group-headers": async () => {
    const sent = proxied({ "x-team": "dev", "x-remote-group": "system:masters" });
    await withProxy(["--requestheader-group-headers=X-Team"], async ({ who }) => {
      assert.deepEqual((await who(sent)).groups, ["dev", "system:authenticated"]);
    });
    await withProxy([], async ({ who }) => assert.deepEqual((await who(sent)).groups, ["system:authenticated"]));
  },
  "--requestheader-extra-headers-prefix": async () => {
    const sent = proxied({ "x-more-scopes": "read", "x-remote-extra-scopes": "write" });
    await withProxy(["--requestheader-extra-headers-prefix=X-More-"], async ({ who }) => {
      assert.deepEqual((await who(sent)).extra, { scopes: ["read"] });
    });
    await withProxy([], async ({ who }) => assert.deepEqual((await who(sent)).extra ?? {}, {}));
  },
  "--requestheader-uid-headers": async () => {
    const uid = "--requestheader-uid-headers=X-Uid", sent = proxied({ "x-uid": "42" });
    await withProxy([uid], async ({ who }) => assert.equal((await who(sent)).uid, "42"));
    await withProxy([], async ({ who }) => assert.equal((await who(sent)).uid, undefined));
    const off = withProxy([uid, "--feature-gates=RemoteRequestHeaderUID=false"], () => Promise.resolve());
    await assert.rejects(off, /--requestheader-uid-headers: needs the feature gate RemoteRequestHeaderUID/);
  },
  "--requestheader-client-ca-file": async () => {
    await withProxy([], async ({ name }) => {
      assert.equal(await name(proxied({})), "ann");
      assert.equal(await name(proxied({}, strangerOf("front"))), 401);
      assert.equal(await name({ headers: { "x-user": "ann" } }), 401);
    });
    await identified(PROXY, async ({ name }) => assert.equal(await name(proxied({})), 401));
    // Where no header names the user, headers are not looked at.
    await identified(["--anonymous-auth=false"], async ({ name }) => {
      assert.equal(await name(proxied({})), 401);
      assert.equal(await name(proxied({ "x-remote-user": "ann" })), 401);
    }, { texts: { "requestheader-client-ca-file": CLIENTS_CA } });
    const alone = parseOptions(["--requestheader-client-ca-file=/ca", "--service-cluster-ip-range=10.0.0.0/24"]);
    assert.equal(alone.kind, "run");
  },
  "--requestheader-allowed-names": async () => {
    await withProxy(["--requestheader-allowed-names=front,back"], async ({ name }) => {
      for (const [proxy, answer] of [["front", "ann"], ["back", "ann"], ["side", 401]] as const) {
        assert.equal(await name(proxied({}, clientOf(proxy))), answer);
      }
    });
    await withProxy([], async ({ name }) => assert.equal(await name(proxied({}, clientOf("side"))), "ann"));
  },
  "--api-audiences": async () => {
    await withAccount(["--api-audiences=one,two"], async ({ name }, token) => {
      assert.deepEqual(claimsOf((await token()).status.token).aud, ["one", "two"]);
      assert.equal(await name(bearer((await token({ audiences: ["two"] })).status.token)), ROBOT);
      const issuer = "https://kubernetes.default.svc";
      assert.equal(await name(bearer((await token({ audiences: [issuer] })).status.token)), 401);
    });
    await withAccount(["--service-account-issuer=https://own.example"], async ({ name }, token) => {
      const { token: made } = (await token()).status;
      assert.deepEqual(claimsOf(made).aud, ["https://own.example"]);
      assert.equal(await name(bearer(made)), ROBOT);
    });
    const both = ["--service-account-issuer=https://new.example", "--service-account-issuer=https://own.example"];
    await withAccount(both, async ({ name }, token) => {
      const { token: made } = (await token()).status;
      assert.deepEqual(claimsOf(made).aud, ["https://new.example", "https://own.example"]);
      // What was issued before the other issuer came is for its own issuer only.
      for (const audiences of [["https://own.example"], ["https://new.example"]]) {
        assert.equal(await name(bearer((await token({ audiences })).status.token)), ROBOT);
      }
    });
  },
  "--service-account-issuer": async () => {
    const [one, two] = ["--service-account-issuer=https://one.example", "--service-account-issuer=https://two.example"];
    let made = "";
    const backend = memoryBackend(), also = "--api-audiences=a";
    await withAccount([two, also], async (_, token) => {
      made = (await token()).status.token;
      assert.equal(claimsOf(made).iss, "https://two.example");
    }, { backend });
    await withAccount([one, two, also], async ({ name }, token) => {
      assert.equal(claimsOf((await token()).status.token).iss, "https://one.example");
      assert.equal(await name(bearer(made)), ROBOT);
    }, { backend });
    await withAccount([one, also], async ({ name }) => assert.equal(await name(bearer(made)), 401), { backend });
    // The issuer that tokens in secrets have: beside these, others.
    await withAccount(["--service-account-issuer=kubernetes/serviceaccount"], async ({ ask, name }, token) => {
      assert.equal(await name(bearer((await token()).status.token)), ROBOT);
      const kept = await keptToken((await ask(ACCOUNT)).body.metadata.uid);
      assert.equal(await name(bearer(kept)), 401, "no secret keeps it");
    });
    await backend.close();
  },
  "--service-account-key-file": async () => {
    const other = pemPair();
    for (const [keys, answer] of [[[other.pub, OWN.pub], ROBOT], [[other.pub], 401], [[], ROBOT]] as const) {
      const texts = { "service-account-key-file": keys };
      await withAccount([], async ({ name }, token) => {
        assert.equal(await name(bearer((await token()).status.token)), answer);
      }, { texts });
    }
  },
  "--service-account-signing-key-file": async () => {
    await withAccount([], async ({ name }, token) => {
      assert.equal(await name(bearer((await token()).status.token)), ROBOT);
    });
    await identified(["--disable-admission-plugins=ServiceAccount"], async ({ ask }) => {
      await ask(ACCOUNT.slice(0, ACCOUNT.lastIndexOf("/")), { body: { metadata: { name: "robot" } } });
      assert.equal((await ask(`${ACCOUNT}/token`, { body: { spec: {} } })).code, 404);
    });
  },
  "--service-account-signing-endpoint": async () => {
    const dir = await Deno.makeTempDir();
    const plugin = new SignerPlugin(`${dir}/signer.sock`);
    await plugin.start();
    try {
      const flag = `--service-account-signing-endpoint=${plugin.path}`;
      const parsed = parseOptions([flag, "--api-dialect=kubernetes", "--service-cluster-ip-range=10.0.0.0/24"]);
      assert.equal(parsed.kind, "run");
      if (parsed.kind !== "run") return;
      const signer = await openSigner(parsed.options, { now: Date.now, log: () => {} });
      try {
        await withAccount([flag], async ({ name }, token) => {
          const made = (await token()).status.token;
          assert.equal(plugin.claims, JSON.stringify(claimsOf(made)));
          assert.equal(await name(bearer(made)), ROBOT);
        }, { signer: signer!, texts: { "service-account-signing-key-file": [] } });
      } finally {
        signer!.close();
      }
      for (const own of ["--service-account-key-file=/k", "--service-account-signing-key-file=/k"]) wrong(flag, own);
      wrong(flag, "--feature-gates=ExternalServiceAccountTokenSigner=false");
    } finally {
      await plugin.stop();
      await Deno.remove(dir, { recursive: true });
    }
  },
  "--service-account-lookup": async () => {
    for (const [flags, answer] of [[[], 401], [["--service-account-lookup=false"], ROBOT]] as const) {
      await withAccount(flags, async ({ ask, name }, token) => {
        const bound = bearer((await token()).status.token);
        const kept = bearer(await keptToken((await ask(ACCOUNT)).body.metadata.uid));
        assert.equal(await name(kept), answer, "no secret keeps it");
        assert.equal((await ask(ACCOUNT, { method: "DELETE" })).code, 200);
        assert.deepEqual([await name(kept), await name(bound)], [answer, 401]);
      });
    }
  },
  "--service-account-extend-token-expiration": async () => {
    const year = 365 * 24 * 3600;
    for (const [flags, seconds] of [[[], year], [["--service-account-extend-token-expiration=false"], 3607]] as const) {
      await withAccount(flags, async ({ ask }, token) => {
        const spec = { serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] };
        const { body } = await ask("/api/v1/namespaces/default/pods", { body: { metadata: { name: "p" }, spec } });
        const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p", uid: body.metadata.uid };
        const { exp, iat } = claimsOf((await token({ expirationSeconds: 3607, boundObjectRef })).status.token);
        assert.equal(exp - iat, seconds);
      });
    }
  },
  "--service-account-max-token-expiration": async () => {
    for (const [flags, seconds] of [[[], 86_400], [["--service-account-max-token-expiration=2h"], 7200]] as const) {
      await withAccount(flags, async (_, token) => {
        const body = await token({ expirationSeconds: 86_400 });
        const { exp, iat } = claimsOf(body.status.token);
        assert.deepEqual([body.spec.expirationSeconds, exp - iat], [seconds, seconds]);
      });
    }
  },
};
