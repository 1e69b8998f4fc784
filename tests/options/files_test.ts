import assert from "node:assert/strict";
import { currentConnection, fetchText, parseOptions, postJson, readConnectionFile } from "../../server/options/mod.ts";
import type { Connection } from "../../schema/connection.ts";
import { startTestServer } from "../fixture/server.ts";
import { generateKey, publicKeyDer } from "../../pki/keys.ts";
import { issue, type LeafOptions, nameDer } from "../../pki/mod.ts";
import { authority } from "../listen/_fixture.ts";
import { followFile, readText } from "../../server/options/files.ts";
import { outside } from "../../server/options/outside.ts";
import { securityFiles } from "../../server/options/security_files.ts";

async function inDirectory(run: (dir: string, write: (name: string, text: string) => string) => Promise<void> | void) {
  const dir = Deno.makeTempDirSync();
  try {
    await run(dir, (name, text) => {
      Deno.writeTextFileSync(`${dir}/${name}`, text);
      return `${dir}/${name}`;
    });
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

Deno.test("files that cannot be read are named with their option", () =>
  inDirectory((dir) => {
    assert.throws(
      () => readText("client-ca-file", `${dir}/none`),
      /^Error: --client-ca-file: cannot read ".*none": no such file$/,
    );
    assert.throws(() => readText("client-ca-file", dir), /--client-ca-file: cannot read ".*": it is a directory$/);
    Deno.writeFileSync(`${dir}/bytes`, new Uint8Array([0xff, 0xfe]));
    assert.throws(() => readText("x", `${dir}/bytes`), /no UTF-8/);
  }));

const OIDC = ["--oidc-issuer-url=https://issuer.example", "--oidc-client-id=a"];

Deno.test("files of keys and authorities that hold none are named with their option", () =>
  inDirectory((_dir, write) => {
    const path = write("text", "hello");
    for (
      const option of [
        "token-auth-file",
        "client-ca-file",
        "requestheader-client-ca-file",
        "oidc-ca-file",
        "service-account-key-file",
        "service-account-signing-key-file",
      ]
    ) {
      const parsed = parseOptions([`--${option}=${path}`, "--requestheader-username-headers=X-User", ...OIDC]);
      assert.ok(parsed.kind === "run");
      assert.throws(() => securityFiles(parsed.options, undefined), {
        message: new RegExp(`^--${option}: cannot use "${path}": .*(holds no|token file: line 1)`),
      }, option);
    }
  }));

const EXEC = "client.authentication.k8s.io";

const FILE = `
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: https://hook.example/x, certificate-authority: ca.pem}}]
users: [{name: u, user: {tokenFile: token}}]
`;

Deno.test("connection files", () =>
  inDirectory((_dir, write) => {
    write("ca.pem", "CA");
    write("token", "secret\n");
    const path = write("file", FILE);
    assert.deepEqual(readConnectionFile("x", path), {
      server: "https://hook.example/x",
      ca: "CA",
      authorization: "Bearer secret",
    });
    const wrong = (text: string) => () => readConnectionFile("x", write("wrong", text));
    assert.throws(wrong("a: b"), /leads to no cluster/);
    assert.throws(wrong(FILE.replace("ca.pem", "none.pem")), /--x: cannot read/);
    assert.throws(
      wrong(
        FILE.replace("certificate-authority: ca.pem", "certificate-authority: ca.pem, insecure-skip-tls-verify: true"),
      ),
      /insecure-skip-tls-verify and an authority exclude each other/,
    );
    assert.throws(wrong(FILE.replace("ca.pem", "ca.pem, proxy-url: 'http://p:1'")), /proxy-url is not supported/);
    const blind = FILE.replace("certificate-authority: ca.pem", "insecure-skip-tls-verify: true, tls-server-name: b");
    assert.deepEqual(readConnectionFile("x", write("blind", blind)), {
      server: "https://hook.example/x",
      authorization: "Bearer secret",
      serverName: "b",
      insecure: true,
    });
    assert.throws(wrong(FILE.replace("tokenFile: token", "exec: {command: z}")), /exec: an apiVersion must be/);
    const users: [user: string, told: RegExp][] = [
      ["token: 123456.0123456789012345", /^Error: --x: ".*wrong": token should be a string$/],
      ["tokenFile: 7", /tokenFile should be a string/],
      ["username: a, password: 1234", /password should be a string/],
    ];
    for (const [user, told] of users) assert.throws(wrong(FILE.replace("tokenFile: token", user)), told);
    assert.throws(wrong("a: ]"), /^Error: --x: ".*wrong": /);
    assert.throws(
      wrong(FILE.replace("clusters: [", "clusters: [null, ")),
      /wrong": clusters should be a list of objects$/,
    );
    assert.throws(wrong(FILE.replace(/users: .*/, "users: {u: v}")), /wrong": users should be a list of objects$/);
    const noBase64 = FILE.replace("certificate-authority: ca.pem", "certificate-authority-data: ca.pem");
    assert.throws(wrong(noBase64), /wrong": certificate-authority-data should be base64$/);
    const skip = (value: string) => FILE.replace("certificate-authority: ca.pem", `insecure-skip-tls-verify: ${value}`);
    assert.equal(readConnectionFile("x", write("yes", skip("yes"))).insecure, true, "as the public clients read it");
    assert.throws(wrong(skip('"true"')), /insecure-skip-tls-verify should be true or false/);
    const token = (user: string) =>
      readConnectionFile("x", write("both", FILE.replace("tokenFile: token", user))).authorization;
    assert.equal(token("token: old, tokenFile: token"), "Bearer secret", "that of the file may be newer");
    assert.equal(token("token: old, tokenFile: none"), "Bearer old");
    const inline = FILE.replace("tokenFile: token", "username: a, password: b").replace(
      "certificate-authority: ca.pem",
      "certificate-authority-data: Q0E=",
    );
    assert.deepEqual(readConnectionFile("x", write("inline", inline)), {
      server: "https://hook.example/x",
      ca: "CA",
      authorization: "Basic YTpi",
    });
  }));

Deno.test("what a connection file names is read again after a minute, the file itself is not", () =>
  inDirectory((_dir, write) => {
    const named = FILE.replace("tokenFile: token", "tokenFile: token, client-certificate: cert, client-key: key");
    const [first, second] = [selfSigned(), selfSigned()];
    const put = (token: string, cert: string, key: string) => {
      write("token", token);
      write("cert", cert);
      write("key", key);
    };
    write("ca.pem", "CA");
    put("first", first.cert, first.key);
    const path = write("file", named);
    let now = 0;
    const connection = currentConnection("x", path, () => now);
    put("second", second.cert, first.key);
    assert.equal(connection().authorization, "Bearer first");
    now += 60_000;
    assert.equal(connection().cert, first.cert, "a state in between changes nothing");
    put("second", second.cert, second.key);
    write("file", "nothing");
    now += 60_000;
    const { authorization, cert, key, server } = connection();
    assert.deepEqual([authorization, cert, key], ["Bearer second", second.cert, second.key]);
    assert.equal(server, "https://hook.example/x");
  }));

Deno.test("calls of webhooks and issuers", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/big") return new Response(new Uint8Array(2 * 1024 * 1024));
    const to = searchParams.get("to");
    if (to) return new Response(null, { status: 302, headers: { location: to } });
    if (pathname === "/no") return new Response("no", { status: 503 });
    return new Response(`${request.method} ${request.headers.get("authorization")} ${await request.text()}`);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const signal = AbortSignal.timeout(60_000);
  const post = postJson(() => ({ server: url, authorization: "Bearer x" }));
  const { status, body } = await post("{}", signal);
  assert.deepEqual([status, body], [200, "POST Bearer x {}"]);
  const get = fetchText(undefined);
  assert.match(await get(`${url}/`, signal), /^GET/);
  await assert.rejects(get(`${url}/no`, signal), /answered 503/);
  assert.equal(await get(`${url}/`, signal, "t"), "GET Bearer t ");
  assert.equal(await get(`${url}/?to=/`, signal, "t"), "GET Bearer t ");
  const shown = ({ headers }: Request) => new Response(headers.get("authorization"));
  const other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, shown);
  const led = `${url}/?to=http://127.0.0.1:${other.addr.port}`;
  assert.equal(await get(led, signal, "t"), "", "the token is not shown to another server");
  await assert.rejects(get(`${url}/big`, signal), /larger than/);
  post.close();
  get.close();
  await Promise.all([server.shutdown(), other.shutdown()]);
});

Deno.test("a webhook is shown what the program of its connection file says, asked anew once it would not have it", () =>
  inDirectory(async (dir, write) => {
    const says = (token: string) =>
      write("answer", JSON.stringify({ apiVersion: `${EXEC}/v1`, kind: "ExecCredential", status: { token } }));
    let known = "Bearer one";
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      ({ headers }) => new Response("{}", { status: headers.get("authorization") === known ? 200 : 401 }),
    );
    const url = `http://127.0.0.1:${server.addr.port}`, signal = AbortSignal.timeout(30_000);
    const exec = `exec: {apiVersion: ${EXEC}/v1, interactiveMode: Never, command: cat, args: [${dir}/answer]}`;
    write("ca.pem", "CA");
    const text = FILE.replace("tokenFile: token", exec).replace("https://hook.example/x", url);
    const post = postJson(currentConnection("x", write("by", text), () => 0));
    says("one");
    assert.equal((await post("{}", signal)).status, 200);
    known = "Bearer two";
    says("two");
    assert.deepEqual([(await post("{}", signal)).status, (await post("{}", signal)).status], [401, 200]);
    post.close();
    await server.shutdown();
  }));

/** A certificate for this machine that its own key has signed, as an authority's. */
function selfSigned(): { cert: string; key: string } {
  const key = generateKey(), subject = { commonName: "hook" }, publicKey = publicKeyDer(key);
  const dates = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const names = { ips: ["127.0.0.1"], dnsNames: ["hook.example"] };
  const request = { subject, publicKey, ca: true, serial: Uint8Array.of(7), ...dates, ...names };
  return { cert: issue(request, { subject: nameDer(subject), publicKey, key }), key };
}

Deno.test("a server is trusted by its own certificate, by another name, or unseen, as the connection file says", async () => {
  const own = selfSigned(), { cert: other } = selfSigned();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {}, ...own }, () => new Response("{}"));
  const url = `https://127.0.0.1:${server.addr.port}`, signal = AbortSignal.timeout(60_000);
  const asked = async (how: Partial<Connection>) => {
    const post = postJson(() => ({ server: url, ...how }));
    try {
      return (await post("{}", signal)).status;
    } finally {
      post.close();
    }
  };
  assert.equal(await asked({ ca: own.cert }), 200);
  assert.equal(await asked({ ca: own.cert, serverName: "hook.example" }), 200);
  assert.equal(await asked({ insecure: true }), 200);
  await assert.rejects(asked({ ca: other }), /self-signed certificate/);
  await assert.rejects(asked({}), /self-signed certificate/);
  await assert.rejects(asked({ ca: own.cert, serverName: "other.example" }), /does not match/);
  const get = fetchText(own.cert);
  assert.equal(await get(url, signal), "{}");
  get.close();
  await server.shutdown();
});

Deno.test("a server is trusted by its own certificate that another one has signed, while it is good and for its names", async () => {
  const signer = authority("signer"), names = { ips: ["127.0.0.1"], dnsNames: ["hook.example"] };
  const leaf = (more: Partial<LeafOptions> = {}) =>
    signer.leaf({ subject: { commonName: "hook" }, usage: "server", ...names, ...more });
  const own = leaf(), other = leaf(), past = leaf({ days: 0 }), client = leaf({ usage: "client" });
  const asked = async (pair: { cert: string; key: string }, how: Partial<Connection>) => {
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {}, ...pair },
      () => new Response("{}"),
    );
    const post = postJson(() => ({ server: `https://127.0.0.1:${server.addr.port}`, ...how }));
    try {
      return (await post("{}", AbortSignal.timeout(60_000))).status;
    } finally {
      post.close();
      await server.shutdown();
    }
  };
  assert.equal(await asked(own, { ca: own.cert }), 200);
  assert.equal(await asked(own, { ca: own.cert, serverName: "hook.example" }), 200);
  assert.equal(await asked(own, { ca: other.cert + own.cert }), 200);
  assert.equal(await asked(own, { ca: other.cert + signer.cert }), 200, "the authority beside another's certificate");
  await assert.rejects(asked(own, { ca: own.cert, serverName: "other.example" }), /does not match/);
  await assert.rejects(
    asked(own, { ca: other.cert + signer.cert, serverName: "other.example" }),
    /does not match/,
  );
  for (const [pair, trusted] of [[own, other], [past, past], [client, client]] as const) {
    await assert.rejects(asked(pair, { ca: trusted.cert }), /certificate/);
  }
});

for (
  const [option, more, text] of [
    ["authentication-config", [], "hello: world"],
    ["authentication-config", [], "{["],
    ["authorization-config", [], "{["],
    ["authorization-policy-file", ["--authorization-mode=ABAC"], "hello"],
    ["authorization-webhook-config-file", ["--authorization-mode=Webhook"], "a: b"],
    ["authentication-token-webhook-config-file", [], "a: b"],
  ] as const
) {
  Deno.test(`a file that says ${JSON.stringify(text)} is named with --${option}`, () =>
    inDirectory(async (_dir, write) => {
      const flags = [`--${option}=${write("file", text)}`, ...more, "--storage-backend=memory"];
      const parsed = parseOptions(flags);
      assert.ok(parsed.kind === "run");
      const started = startTestServer(flags, { files: securityFiles(parsed.options, undefined), outside, bare: true });
      await assert.rejects(started, { message: new RegExp(`^--${option}: .+$`) });
    }));
}

/** Follows a file until it changed once; `change` may run before or after the first look. */
async function nextText(path: string, change: () => void): Promise<string> {
  const stop = new AbortController();
  return await new Promise<string>((done) => {
    const following = followFile(path, (text) => {
      stop.abort();
      following.then(() => done(text));
    }, stop.signal);
    change();
  });
}

Deno.test("a file that changes is read again", () =>
  inDirectory(async (dir, write) => {
    const path = write("watched", "one");
    const renamed = () => {
      Deno.writeTextFileSync(`${dir}/new`, "two");
      Deno.renameSync(`${dir}/new`, path);
    };
    assert.equal(await nextText(path, renamed), "two");
    assert.equal(await nextText(path, () => Deno.writeTextFileSync(path, "six")), "six");
    await new Promise((r) => setTimeout(r, 20));
    assert.equal(await nextText(path, () => setTimeout(() => write("watched", "ten"), 1_200)), "ten");
  }));

Deno.test("a file behind a link is read again when the link is turned, as mounted secrets are replaced", () =>
  inDirectory(async (dir, write) => {
    for (const [at, text] of Object.entries({ first: "one", second: "two" })) {
      Deno.mkdirSync(`${dir}/${at}`);
      write(`${at}/text`, text);
    }
    Deno.symlinkSync("first", `${dir}/..data`);
    Deno.symlinkSync("..data/text", `${dir}/text`);
    const turned = () => {
      Deno.symlinkSync("second", `${dir}/..next`);
      Deno.renameSync(`${dir}/..next`, `${dir}/..data`);
    };
    assert.equal(await nextText(`${dir}/text`, turned), "two");
  }));
