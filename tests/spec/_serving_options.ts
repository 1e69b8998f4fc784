/** What each option about addresses, TLS and HTTP does, by its row. */
import assert from "node:assert/strict";
import type http2 from "node:http2";
import type tls from "node:tls";
import { listen, servingFrom } from "../../server/listen/mod.ts";
import { logOf } from "../../schema/log/settings.ts";
import { type Options, parseOptions } from "../../server/options/mod.ts";
import { fromPem } from "../../pki/mod.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { HOOK_CA, HOOK_CLIENT, HookServer } from "../fixture/hooks.ts";
import { ALERT, clientHello, firstRecord, HANDSHAKE } from "../listen/_hello.ts";
import { connectTls, exchange, readUntil, serving, servingPair, session, soon, until } from "../listen/_fixture.ts";
import { cluster, member } from "../peers/_pair.ts";
import { identified, wrong } from "./_identified.ts";
import { withProcess } from "./_process.ts";
import { map, maps, withServer } from "./_spec.ts";

function optionsOf(...flags: string[]): Options {
  const parsed = parseOptions(["--api-dialect=kubernetes", ...flags]);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  return (parsed as Extract<typeof parsed, { kind: "run" }>).options;
}

/** Says that an option changes nothing, as docs/options.md does. */
function accepted(flag: string): void {
  const parsed = parseOptions([flag]);
  assert.ok(parsed.kind === "run" && parsed.warnings.some((w) => w.includes(flag.split("=")[0]!)), flag);
}

/** Listens as the options say; `dir` holds a pair of files for each name. */
async function listening(
  flags: (dir: string) => string[],
  run: (port: number, dir: string) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "orch-serving-" });
  try {
    for (const [name, pair] of [["main", serving], ["other", servingPair("other", "other.example")]] as const) {
      await Deno.writeTextFile(`${dir}/${name}.crt`, pair.cert);
      await Deno.writeTextFile(`${dir}/${name}.key`, pair.key);
    }
    const options = optionsOf(
      `--tls-cert-file=${dir}/main.crt`,
      `--tls-private-key-file=${dir}/main.key`,
      ...flags(dir),
    );
    const made = await servingFrom(options, { names: { hostnames: [], ips: [] } });
    const listener = await listen(() => new Response("ok"), { hostname: "127.0.0.1", port: 0, ...made.listen });
    try {
      await run(listener.port, dir);
    } finally {
      await listener.close(0);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Common name of the certificate that is served for a name. */
async function served(port: number, servername: string): Promise<string> {
  const socket = await connectTls(port, { servername, rejectUnauthorized: false });
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

/** What a client of these settings is answered; empty where it is refused. */
async function answer(port: number, options: tls.ConnectionOptions, path = "/"): Promise<string> {
  const socket = await connectTls(port, options).catch(() => undefined);
  if (!socket) return "";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return (await readUntil(socket, () => false)).slice(0, 12);
}

const OK = "HTTP/1.1 200";

/** Whether somebody listens at an address of this machine. */
const listens = (hostname: string, port: number): Promise<boolean> =>
  Deno.connect({ hostname, port }).then((c) => (c.close(), true), () => false);

/** Where clients are told to find a server. */
const addressOf = async (ask: (path: string) => Promise<Response>): Promise<string> =>
  (await (await ask("/api")).json()).serverAddressByClientCIDRs[0].serverAddress;

const ORIGIN = { headers: { origin: "https://a.example" } };

/** Writes a line of a module at a level, to a log of these options; what was written. */
function written(...flags: string[]): { lines: string[]; ticks: number[] } {
  const lines: string[] = [], ticks: number[] = [];
  const write = (line: string) => void lines.push(line);
  const { log } = logOf(optionsOf(...flags), () => 7, { out: write, err: write, every: (ms) => void ticks.push(ms) });
  log("info", "said");
  for (const [module, level] of [["one", 2], ["one", 4], ["other", 4]] as const) {
    log.verbose(module, level)?.(`${module} ${level}`);
  }
  return { lines, ticks };
}

/** See the top of the file. */
export const SERVING_EFFECTS: Readonly<Record<string, () => Promise<void>>> = {
  "--bind-address": () =>
    withProcess(() => ["--bind-address=127.0.0.2"], async ({ port }) => {
      assert.deepEqual([await listens("127.0.0.2", port), await listens("127.0.0.1", port)], [true, false]);
    }).then(() =>
      withProcess(() => ["--bind-address=0.0.0.0"], async ({ port }) => {
        assert.deepEqual([await listens("127.0.0.2", port), await listens("127.0.0.1", port)], [true, true]);
      })
    ),
  "--secure-port": async () => {
    wrong("--secure-port=0");
    await withProcess(() => [], async ({ port }, ask) => {
      assert.equal((await (await ask("/api/v1/namespaces/default")).json()).metadata.name, "default");
      // Who does not say who it is may not read, and nobody without TLS.
      assert.match(await answer(port, { rejectUnauthorized: false }, "/api/v1/namespaces/default"), / 403/);
      const plain = await fetch(`http://127.0.0.1:${port}/livez`);
      assert.deepEqual([plain.status, /HTTP request to an HTTPS server/.test(await plain.text())], [400, true]);
    });
  },
  "--advertise-address": async () => {
    await withProcess(() => ["--advertise-address=192.0.2.77"], async ({ port }, ask) => {
      const { subsets } = await (await ask("/api/v1/namespaces/default/endpoints/kubernetes")).json();
      assert.deepEqual([subsets[0].addresses, subsets[0].ports[0].port], [[{ ip: "192.0.2.77" }], port]);
      assert.equal(await addressOf(ask), `192.0.2.77:${port}`);
    });
    // Bound to all: that of the interface that others reach.
    await withProcess(() => ["--bind-address=0.0.0.0"], async ({ port }, ask) => {
      const own = Deno.networkInterfaces().map(({ address }) => hostPort(address, port));
      assert.ok(own.includes(await addressOf(ask)));
    });
  },
  "--external-hostname": async () => {
    await withProcess(() => ["--external-hostname=api.example.com"], async ({ port }, ask) => {
      assert.equal(await addressOf(ask), `api.example.com:${port}`);
      const { jwks_uri } = await (await ask("/.well-known/openid-configuration")).json();
      assert.equal(jwks_uri, `https://api.example.com:${port}/openid/v1/jwks`);
      const socket = await connectTls(port, { rejectUnauthorized: false });
      assert.match(socket.getPeerCertificate().subjectaltname!, /DNS:api\.example\.com/);
      socket.destroy();
    });
    // With a port of its own.
    await withProcess(() => ["--external-hostname=api.example.com:8443"], async ({ port }, ask) => {
      assert.equal(await addressOf(ask), "api.example.com:8443");
      const socket = await connectTls(port, { rejectUnauthorized: false });
      assert.match(socket.getPeerCertificate().subjectaltname!, /DNS:api\.example\.com(,|$)/);
      socket.destroy();
    });
    // A name that is not of ASCII stands there as clients ask for it.
    await withProcess(() => ["--external-hostname=köln.example"], async ({ port }) => {
      const socket = await connectTls(port, { rejectUnauthorized: false });
      assert.match(socket.getPeerCertificate().subjectaltname!, /DNS:xn--kln-sna\.example(,|$)/);
      socket.destroy();
    });
    // An address: clients verify the certificate by it.
    for (const name of ["192.0.2.9", "192.0.2.9:8443"]) {
      await withProcess(() => [`--external-hostname=${name}`], async ({ port }) => {
        const socket = await connectTls(port, { rejectUnauthorized: false });
        const names = socket.getPeerCertificate().subjectaltname!;
        assert.deepEqual([/IP Address:192\.0\.2\.9(,|$)/.test(names), /DNS:192/.test(names)], [true, false], names);
        socket.destroy();
      });
    }
    await withServer([], async (t) => {
      assert.equal(await addressOf((path) => t.open(path)), "[2001:db8::7]:6443");
    }, { address: { host: "2001:db8::7", port: 6443 } });
  },
  "--cert-dir": () =>
    withProcess((dir) => [`--cert-dir=${dir}/certs`], async ({ port, flags }) => {
      const dir = flags.find((f) => f.startsWith("--cert-dir="))!.split("=")[1]!;
      const socket = await connectTls(port, { rejectUnauthorized: false });
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      const files = [...Deno.readDirSync(dir)].filter((f) => f.name.endsWith(".crt"));
      const certificates = files.flatMap((f) => fromPem("CERTIFICATE", Deno.readTextFileSync(`${dir}/${f.name}`)));
      assert.ok(certificates.some((c) => c.toHex() === new Uint8Array(raw).toHex()), "what is served lies there");
    }),
  "--tls-cert-file, --tls-private-key-file": async () => {
    await listening(
      (dir) => [`--tls-cert-file=${dir}/other.crt`, `--tls-private-key-file=${dir}/other.key`],
      async (port) => {
        assert.equal(await served(port, "localhost"), "other");
      },
    );
    wrong("--tls-cert-file=/c");
    wrong("--tls-private-key-file=/k");
    // Without: one that the server makes, in its directory.
    const dir = await Deno.makeTempDir();
    try {
      const names = { hostnames: ["made.example"], ips: [] };
      const { listen: { tls: made } } = await servingFrom(optionsOf(`--cert-dir=${dir}`), { names });
      const files = [...Deno.readDirSync(dir)].map((f) => Deno.readTextFileSync(`${dir}/${f.name}`));
      assert.ok(files.includes(made!.cert) && files.includes(made!.key));
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
  "--tls-sni-cert-key": async () => {
    await listening((dir) => [`--tls-sni-cert-key=${dir}/other.crt,${dir}/other.key`], async (port) => {
      assert.deepEqual([await served(port, "other.example"), await served(port, "localhost")], ["other", "server"]);
    });
    await listening(
      (dir) => [`--tls-sni-cert-key=${dir}/other.crt,${dir}/other.key:a.example,b.example`],
      async (port) => {
        // The certificate's own name is told of no pair: the pair that clients can verify by it serves it all the same.
        const asked = ["a.example", "b.example", "other.example", "c.example"];
        const names = await Promise.all(asked.map((name) => served(port, name)));
        assert.deepEqual(names, ["other", "other", "other", "server"]);
      },
    );
  },
  "--tls-min-version": async () => {
    for (const [version, old] of [["VersionTLS13", ""], ["VersionTLS12", OK], ["VersionTLS10", OK]] as const) {
      await listening(() => [`--tls-min-version=${version}`], async (port) => {
        assert.equal(await answer(port, { maxVersion: "TLSv1.2" }), old);
        assert.equal(await answer(port, {}), OK);
      });
    }
    wrong("--tls-min-version=VersionSSL3");
  },
  "--tls-cipher-suites": async () => {
    const [settled, other] = ["ECDSA_WITH_AES_256_GCM_SHA384", "RSA_WITH_AES_128_GCM_SHA256"];
    for (const [suite, said] of [[settled, OK], [other, ""]] as const) {
      await listening(() => [`--tls-cipher-suites=TLS_ECDHE_${suite}`], async (port) => {
        assert.equal(await answer(port, { maxVersion: "TLSv1.2" }), said);
      });
    }
    await listening(() => [], async (port) => assert.equal(await answer(port, { maxVersion: "TLSv1.2" }), OK));
  },
  "--tls-curve-preferences": async () => {
    const [p256, p384, x25519] = [23, 24, 29];
    for (
      const [flags, offered, taken] of [
        [[], [x25519], true],
        [["--tls-curve-preferences=23,24"], [x25519], false],
        [["--tls-curve-preferences=23,24"], [p256], true],
        [["--tls-curve-preferences=23,24"], [x25519, p384], true],
      ] as const
    ) {
      await listening(() => [...flags], async (port) => {
        assert.equal(
          (await firstRecord(port, clientHello(offered)))[0],
          taken ? HANDSHAKE : ALERT,
          `${flags} ${offered}`,
        );
        assert.equal(await answer(port, {}), OK); // offers all that the runtime has
      });
    }
  },
  "--disable-http2-serving": async () => {
    for (const [flags, protocol] of [[[], "h2"], [["--disable-http2-serving"], "http/1.1"]] as const) {
      await listening(() => [...flags], async (port) => {
        const socket = await connectTls(port, { ALPNProtocols: ["h2", "http/1.1"] });
        assert.equal(socket.alpnProtocol, protocol);
        socket.destroy();
      });
    }
  },
  "--http2-max-streams-per-connection": async () => {
    for (const [flags, told] of [[["--http2-max-streams-per-connection=7"], 7], [[], undefined]] as const) {
      await listening(() => [...flags], async (port) => {
        const client = session(port);
        const settings = await new Promise<http2.Settings>((done) => client.once("remoteSettings", done));
        if (told) assert.equal(settings.maxConcurrentStreams, told);
        else assert.notEqual(settings.maxConcurrentStreams, 7);
        client.destroy();
      });
    }
  },
  "--goaway-chance": async () => {
    /** Whether a session is sent away within so many requests. */
    const away = async (port: number, requests: number): Promise<boolean> => {
      const client = session(port);
      let told = false;
      client.once("goaway", () => told = true);
      for (let i = 0; i < requests && !told; i++) await exchange(client, { ":path": "/" }).catch(() => {});
      client.destroy();
      return told;
    };
    // One in fifty: so many without is a matter of a million years.
    await listening(() => ["--goaway-chance=0.02"], async (port) => assert.equal(await away(port, 3000), true));
    await listening(() => [], async (port) => assert.equal(await away(port, 300), false));
    wrong("--goaway-chance=0.03");
  },
  "--permit-address-sharing, --permit-port-sharing": async () => {
    accepted("--permit-address-sharing");
    for (const [flags, shared] of [[["--permit-port-sharing"], true], [[], false]] as const) {
      await listening(() => [...flags], async (port) => {
        const second = () => listen(() => new Response("ok"), { hostname: "127.0.0.1", port, reusePort: true });
        if (shared) await (await second()).close(0);
        else await assert.rejects(second(), /the address is in use/);
      });
    }
  },
  "--strict-transport-security-directives": async () => {
    const header = async (...flags: string[]) => {
      let value: string | null = "";
      await withServer(
        flags,
        async (t) => void (value = (await t.fetch("/version")).headers.get("strict-transport-security")),
      );
      return value;
    };
    assert.equal(
      await header("--strict-transport-security-directives=max-age=9,includeSubDomains"),
      "max-age=9; includeSubDomains",
    );
    assert.equal(await header(), null);
  },
  "--cors-allowed-origins": async () => {
    for (
      const [flags, origin] of [
        [["--cors-allowed-origins=//b[.]example$,//a[.]example$"], "https://a.example"],
        [["--cors-allowed-origins=//b[.]example$"], null],
        [[], null],
      ] as const
    ) {
      await withServer(flags, async (t) => {
        assert.equal((await t.fetch("/version", ORIGIN)).headers.get("access-control-allow-origin"), origin);
      });
    }
    await assert.rejects(withServer(["--cors-allowed-origins=("], async () => {}), /cors-allowed-origins/);
  },
  "--runtime-config": async () => {
    const codes = async (flag: string | undefined, paths: readonly string[]) => {
      const found: number[] = [];
      await withServer(flag ? [`--runtime-config=${flag}`] : [], async (t) => {
        for (const path of paths) found.push((await t.fetch(path)).status);
      });
      return found;
    };
    const paths = ["/apis/batch/v1", "/apis/certificates.k8s.io/v1beta1", "/apis/internal.apiserver.k8s.io/v1alpha1"];
    assert.deepEqual(await codes(undefined, paths), [200, 404, 404]);
    assert.deepEqual(await codes("batch/v1=false", paths), [404, 404, 404]);
    assert.deepEqual(await codes("api/beta=true", paths), [200, 200, 404]);
    assert.deepEqual(await codes("api/alpha=true", paths), [200, 404, 200]);
    assert.deepEqual(await codes("api/all=true", paths), [200, 200, 200]);
    assert.deepEqual(await codes("api/all=true,certificates.k8s.io/v1beta1=false", paths), [200, 404, 200]);
    // The server works with the core alone, and without each of what it keeps content of its own in.
    const alone = ["/readyz", "/api/v1", "/api/v1/namespaces/default/services/kubernetes", "/apis/apps/v1"];
    assert.deepEqual(await codes("api/all=false,api/v1=true", alone), [200, 200, 200, 404]);
    const groups = ["networking", "discovery", "coordination", "scheduling", "flowcontrol.apiserver"];
    for (const group of [...groups, "rbac.authorization", "apiregistration"]) {
      const off = [...alone, `/apis/${group}.k8s.io/v1`];
      assert.deepEqual(await codes(`${group}.k8s.io/v1=false`, off), [200, 200, 200, 200, 404], group);
    }
    assert.deepEqual(await codes("v1=false", ["/readyz", "/api/v1", "/apis/batch/v1"]), [200, 404, 200]);
  },
  "--debug-socket-path": () =>
    withProcess((dir) => [`--debug-socket-path=${dir}/debug`, "--profiling=false"], async ({ flags }, ask) => {
      const path = flags.find((f) => f.startsWith("--debug-socket-path="))!.split("=")[1]!;
      const get = async (target: string) => {
        using connection = await Deno.connect({ transport: "unix", path });
        await connection.write(
          new TextEncoder().encode(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        );
        return (await soon(new Response(connection.readable).text(), "the answer")).slice(0, 12);
      };
      assert.equal(await get("/debug/pprof/"), OK);
      assert.equal(await get("/debug/pprof/profile?seconds=1"), OK);
      assert.equal(await get("/debug/flags/"), OK);
      assert.equal(await get("/api/v1/namespaces"), "HTTP/1.1 404");
      const open = await ask("/debug/pprof/");
      await open.body?.cancel();
      assert.equal(open.status, 404);
    }),
  "--store-compaction-interval": async () => {
    // Reads go to the store: what it has forgotten is gone.
    const exact = (flag: string, run: (ask: () => Promise<number>) => Promise<void>) =>
      withProcess(() => ["--watch-cache=false", flag], async (_, ask) => {
        const made = async (name: string) =>
          (await (await ask(maps("default"), map(name))).json()).metadata.resourceVersion;
        const at = await made("a");
        await made("b"); // the newest version is never forgotten
        await run(async () => {
          const answer = await ask(`${maps("default")}?resourceVersionMatch=Exact&resourceVersion=${at}`);
          await answer.body?.cancel();
          return answer.status;
        });
      });
    await exact("--store-compaction-interval=30ms", (ask) => until("it is forgotten", async () => await ask() === 410));
    for (const flag of ["--store-compaction-interval=0", "--store-compaction-interval=1h"]) {
      await exact(flag, async (ask) => assert.equal(await ask(), 200));
    }
  },
  "--contention-profiling": () => Promise.resolve(accepted("--contention-profiling")),
  "--proxy-client-cert-file, --proxy-client-key-file": async () => {
    const hooks = await new HookServer().start();
    const url = hooks.on("/checked", () => ({}));
    const webhook = {
      name: "checked.test.io",
      clientConfig: { url, caBundle: btoa(HOOK_CA) },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    try {
      for (
        const [texts, client] of [
          [{ "proxy-client-cert-file": HOOK_CLIENT.cert, "proxy-client-key-file": HOOK_CLIENT.key }, "the-server"],
          [{}, ""],
        ] as const
      ) {
        await identified([], async ({ ask }) => {
          const made = await ask("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
            body: { metadata: { name: "checked" }, webhooks: [webhook] },
          });
          assert.equal(made.code, 201);
          hooks.asked.length = 0;
          await until("it is asked", async () => {
            await ask(maps("default"), { body: { metadata: { generateName: "m-" } } });
            return hooks.asked.length > 0;
          });
          assert.equal(hooks.asked[0]!.client, client);
        }, { texts });
      }
    } finally {
      await hooks.stop();
    }
    wrong("--proxy-client-cert-file=/c");
  },
  "--peer-advertise-ip, --peer-advertise-port, --peer-ca-file": async () => {
    const path = "/apis/batch/v1/jobs", flags = ["--runtime-config=batch/v1=false"];
    // What one does not serve, the other is asked for, with the file.
    for (const [o, code] of [[{ flags }, 200], [{ flags, alone: true }, 404]] as const) {
      await cluster([{}, o], async (_, other) => {
        if (code === 200) await until("it is passed on", async () => (await other.fetch(path)).status === 200);
        else assert.equal((await other.fetch(path)).status, code);
      });
    }
    const backend = memoryBackend();
    const told = ["--peer-advertise-ip=192.0.2.5", "--peer-advertise-port=7443"];
    const one = await member(backend, "host", { flags: told });
    try {
      const leases = async () =>
        (await one.fetch("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")).body.items;
      await until("it tells", async () => (await leases()).length > 0);
      assert.match(JSON.stringify((await leases())[0].metadata), /192\.0\.2\.5:7443/);
    } finally {
      await one.stop();
      await backend.close();
    }
  },
  "--logging-format": async () => {
    assert.equal(written().lines[0], "info: said");
    assert.equal(JSON.parse(written("--logging-format=json").lines[0]!).msg, "said");
    await Promise.resolve(wrong("--logging-format=xml"));
  },
  "--log-flush-frequency": async () => {
    const buffered = [
      "--feature-gates=LoggingAlphaOptions=true",
      "--log-text-split-stream",
      "--log-text-info-buffer-size=1Ki",
    ];
    assert.deepEqual(written(...buffered), { lines: [], ticks: [5000] });
    assert.deepEqual(written(...buffered, "--log-flush-frequency=9s").ticks, [9000]);
    await Promise.resolve(wrong("--log-flush-frequency=0s"));
  },
  "-v, --v": async () => {
    const said = (...flags: string[]) => written(...flags).lines.slice(1).map((l) => l.replace(/^info: \w+: /, ""));
    for (const flag of ["-v=2", "--v=2", "-v2"]) assert.deepEqual(said(flag), ["one 2"]);
    assert.deepEqual(said("-v", "4"), ["one 2", "one 4", "other 4"]);
    await Promise.resolve(assert.deepEqual(said("--v=1"), []));
  },
  "--vmodule": async () => {
    const said = (...flags: string[]) => written(...flags).lines.slice(1).map((l) => l.replace(/^info: \w+: /, ""));
    assert.deepEqual(said(), []);
    assert.deepEqual(said("--vmodule=one=3"), ["one 2"]);
    assert.deepEqual(said("--vmodule=o*=4"), ["one 2", "one 4", "other 4"]);
    await Promise.resolve(assert.deepEqual(said("--v=2", "--vmodule=other=4"), ["one 2", "other 4"]));
  },
};
