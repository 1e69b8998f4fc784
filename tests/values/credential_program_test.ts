/** `exec` of users of connection files: what a program is told, how long its answer is kept, what is wrong with it. */
import assert from "node:assert/strict";
import { connectionOf } from "../../schema/connection.ts";
import { CredentialPrograms, type RunProgram, type Shown } from "../../schema/credential_program.ts";

const PUBLIC = "client.authentication.k8s.io/v1";

/** The connection of a file whose user has a program. */
function connection(exec: Record<string, unknown>, user: Record<string, unknown> = {}) {
  const file = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{
      name: "k",
      cluster: {
        server: "https://127.0.0.1:1",
        "tls-server-name": "api",
        "certificate-authority-data": btoa("CA"),
        extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
      },
    }],
    users: [{
      name: "u",
      user: { exec: { command: "who", apiVersion: PUBLIC, interactiveMode: "Never", ...exec }, ...user },
    }],
  };
  const fault = (why: string) => new Error(why);
  return connectionOf(JSON.stringify(file), { path: "/etc/orch/agent.conf", read: (path) => `of ${path}`, fault });
}

/** Programs that answer what is said, and what they were run with. */
function programs(...answers: (Record<string, unknown> | string | Error)[]) {
  const runs: Parameters<RunProgram>[] = [], time = { ms: 0 };
  const run: RunProgram = (...by) => {
    const answer = answers[runs.push(by) - 1] ?? answers.at(-1)!;
    if (answer instanceof Error) return Promise.reject(answer);
    const whole = { apiVersion: PUBLIC, kind: "ExecCredential", status: answer };
    return Promise.resolve(typeof answer === "string" ? answer : JSON.stringify(whole));
  };
  const programs = new CredentialPrograms(run, () => time.ms);
  const kept = {
    by: <T extends Shown>(client: T, signal = new AbortController().signal) => programs.by(client, signal),
    refused: (shown: Shown) => programs.refused(shown),
  };
  return { runs, time, kept };
}

Deno.test("a credential program is told its cluster where it asks, and who has other credentials asks none", async () => {
  const { runs, kept } = programs({ token: "t" });
  const env = [{ name: "A", value: "b" }];
  const to = connection({ command: "./bin/who", args: ["-x"], env, provideClusterInfo: true });
  assert.deepEqual(await kept.by(to), {
    server: "https://127.0.0.1:1",
    ca: "CA",
    serverName: "api",
    authorization: "Bearer t",
  });
  const [command, args, { KUBERNETES_EXEC_INFO, ...others }] = runs[0]!;
  assert.deepEqual([command, args, others], ["/etc/orch/./bin/who", ["-x"], { A: "b" }]);
  assert.deepEqual(JSON.parse(KUBERNETES_EXEC_INFO!), {
    kind: "ExecCredential",
    apiVersion: PUBLIC,
    spec: {
      cluster: {
        server: "https://127.0.0.1:1",
        "tls-server-name": "api",
        "certificate-authority-data": btoa("CA"),
        config: { audience: "a" },
      },
      interactive: false,
    },
  });
  await kept.by(connection({}));
  assert.deepEqual(JSON.parse(runs[1]![2].KUBERNETES_EXEC_INFO!).spec, { interactive: false });
  for (const other of [{ token: "o" }, { username: "a", password: "b" }]) {
    assert.match((await kept.by(connection({}, other))).authorization!, /^(Bearer o|Basic )/);
  }
  assert.equal(runs.length, 2);
});

Deno.test("what a credential program answers holds until its time, or until it is refused", async () => {
  const at = (second: number) => `1970-01-01T00:00:${second}Z`;
  const { runs, time, kept } = programs(
    { token: "a", expirationTimestamp: at(10) },
    { token: "b", expirationTimestamp: at(20) },
    { clientCertificateData: "C", clientKeyData: "K" },
  );
  const to: Shown = connection({});
  const shown = async () => {
    const { authorization, cert, key } = await kept.by(to);
    return [authorization, cert, key].filter((one) => one !== undefined);
  };
  assert.deepEqual(await Promise.all([shown(), shown()]), [["Bearer a"], ["Bearer a"]], "one run for all who ask");
  time.ms = 10_000;
  assert.deepEqual(await shown(), ["Bearer a"]);
  time.ms = 10_001;
  assert.deepEqual(await Promise.all([shown(), shown()]), [["Bearer b"], ["Bearer b"]]);
  assert.equal(runs.length, 2);
  kept.refused({ authorization: "Bearer a" });
  assert.deepEqual(await shown(), ["Bearer b"], "what was refused is known to be old");
  kept.refused({ authorization: "Bearer b" });
  assert.deepEqual(await shown(), ["C", "K"]);
  time.ms = 1e12;
  assert.deepEqual(await shown(), ["C", "K"], "without a time it holds");
  assert.equal(runs.length, 3);
});

Deno.test("a credential program that fails is told of, without what it said, and asked again", async () => {
  const missing = Object.assign(new Error("spawn who ENOENT"), { code: "ENOENT" });
  const rows: [answer: Record<string, unknown> | string | Error, told: RegExp][] = [
    [missing, /^Error: the credential program "who": it is not there: npm i who$/],
    [new Error("exit status 1"), /^Error: the credential program "who": exit status 1$/],
    ["secret", /it is no JSON$/],
    ["null", /its kind is not ExecCredential$/],
    [JSON.stringify({ kind: "ExecCredential", apiVersion: `${PUBLIC}beta1` }), /its apiVersion is not .*\/v1, as conf/],
    [{}, /it has no token and no certificate/],
    [{ token: 7 }, /its token is no string/],
    [{ token: "secret", clientKeyData: "secret" }, /a certificate and its key go together$/],
    [{ token: "secret", expirationTimestamp: "soon" }, /the answer of the credential program "who": /],
  ];
  for (const [answer, told] of rows) {
    const { kept } = programs(answer, { token: "t" });
    const to = connection({ installHint: "npm i who" });
    await assert.rejects(kept.by(to), (e) => told.test(String(e)) && !String(e).includes("secret"), String(told));
    assert.equal((await kept.by(to)).authorization, "Bearer t");
  }
});

Deno.test("who does not wait for a credential program any more is let go, the others have its answer", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const programs = new CredentialPrograms(() => promise, () => 0), to = connection({}), end = new AbortController();
  const given = programs.by(to, end.signal), waiting = programs.by(to, new AbortController().signal);
  end.abort(new Error("the request is over"));
  await assert.rejects(given, /the request is over/);
  await assert.rejects(programs.by(to, end.signal), /the request is over/);
  programs.refused({ authorization: "Bearer of another one" }); // it does not wait either
  resolve(JSON.stringify({ apiVersion: PUBLIC, kind: "ExecCredential", status: { token: "t" } }));
  assert.equal((await waiting).authorization, "Bearer t");
});

Deno.test("credential programs that cannot be asked are refused when the file is read", () => {
  const rows: [exec: Record<string, unknown>, told: RegExp][] = [
    [{ command: "" }, /a command must be specified/],
    [{ apiVersion: "" }, /an apiVersion must be specified/],
    [{ apiVersion: "v1" }, /the apiVersion "v1" is not known/],
    [{ interactiveMode: "" }, /an interactiveMode must be specified/],
    [{ interactiveMode: "Always" }, /standard input is not a terminal/],
    [{ interactiveMode: "never" }, /the interactiveMode "never" is not known/],
    [{ env: [{ value: "x" }] }, /a variable of env has no name/],
    [{ env: "A=b" }, /env should be a list of objects/],
    [{ args: [7] }, /args should be a list of strings/],
  ];
  for (const [exec, told] of rows) assert.throws(() => connection(exec), told);
  assert.throws(() => connection({}, { "auth-provider": { name: "x" } }), /auth-provider users are not supported/);
  assert.ok(connection({ apiVersion: `${PUBLIC}beta1`, interactiveMode: "" }).program);
  assert.ok(connection({ apiVersion: "client.authentication.orch.io/v1", interactiveMode: "IfAvailable" }).program);
});
