/** The file of `--egress-selector-config-file`. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { readEgressConfig } from "../../server/options/egress_config.ts";
import { openEgress } from "../../server/options/egress.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { outsideBy } from "../../server/options/outside.ts";
import type { Loose } from "../fixture/loose.ts";
import { PROXY_CA, PROXY_CLIENT } from "./_proxies.ts";

const K8S = productOf("kubernetes"), ORCH = productOf("orch");

const config = (egressSelections: Loose, version = "v1beta1", more: Loose = {}): string =>
  JSON.stringify({
    apiVersion: `apiserver.k8s.io/${version}`,
    kind: "EgressSelectorConfiguration",
    egressSelections,
    ...more,
  });
const one = (connection: Loose, name = "cluster"): string => config([{ name, connection }]);
const connectTcp = (tcp: Loose): string => one({ proxyProtocol: "HTTPConnect", transport: { tcp } });
const there = (path: string): boolean => !path.startsWith("/gone");
const read = (text: string, product = K8S) => readEgressConfig(text, product, there);

const TLS = { caBundle: "/ca", clientCert: "/cert", clientKey: "/key" };
const UDS = { uds: { udsName: "/run/proxy" } };

Deno.test("both versions are read, in the names of the dialect or the public ones", () => {
  for (const version of ["v1beta1", "v1alpha1"]) {
    const text = config([
      { name: "Cluster", connection: { proxyProtocol: "GRPC", transport: UDS } },
      { name: "controlplane", connection: { proxyProtocol: "Direct" } },
      {
        name: "etcd",
        connection: { proxyProtocol: "HTTPConnect", transport: { tcp: { url: "https://[::1]:8131", tlsConfig: TLS } } },
      },
    ], version);
    const want = new Map<string, unknown>([
      ["cluster", { protocol: "grpc", place: { socket: "/run/proxy" } }],
      ["controlplane", undefined],
      ["etcd", {
        protocol: "http_connect",
        place: { host: "::1", port: 8131, tls: { ca: "/ca", cert: "/cert", key: "/key", name: "" } },
      }],
    ]);
    assert.deepEqual(read(text), want);
    assert.deepEqual(read(text, ORCH), want);
    assert.deepEqual(read(text.replace("apiserver.k8s.io", "apiserver.orch.io"), ORCH), want);
  }
  assert.equal(read(config(null)).size, 0);
  const plain = read(connectTcp({ url: "http://proxy.test" })).get("cluster");
  assert.deepEqual(plain, { protocol: "http_connect", place: { host: "proxy.test", port: 80, tls: undefined } });
  const socket = read(one({ proxyProtocol: "HTTPConnect", transport: UDS })).get("cluster");
  assert.deepEqual(socket, { protocol: "http_connect", place: { socket: "/run/proxy" } });
});

const AT = "service.connection";
const REFUSED: readonly (readonly [text: string, ...why: RegExp[]])[] = [
  [config([], "v1"), /is no EgressSelectorConfiguration/],
  [config([]).replace("apiserver.k8s.io", "apiserver.config.k8s.io"), /is no EgressSelectorConfiguration/],
  ["", /is no EgressSelectorConfiguration/],
  [config([], "v1beta1", { selections: [] }), /selections/],
  [config([{ name: "cluster", connection: { proxyProtocol: "Direct", other: 1 } }]), /other/],
  [one({}), new RegExp(`${AT}\\.protocol: Unsupported value: ""`)],
  [one({ proxyProtocol: "http-connect" }), new RegExp(`${AT}\\.protocol: Unsupported value`)],
  [one({ proxyProtocol: "Direct", transport: UDS }), new RegExp(`${AT}\\.transport: Invalid value`)],
  [one({ proxyProtocol: "HTTPConnect" }), new RegExp(`${AT}\\.transport: Required value`)],
  [one({ proxyProtocol: "GRPC" }), new RegExp(`${AT}\\.transport: Required value`)],
  [one({ proxyProtocol: "GRPC", transport: { tcp: { url: "http://a" } } }), new RegExp(`${AT}\\.uds: Required value`)],
  [one({ proxyProtocol: "GRPC", transport: { uds: { udsName: "" } } }), new RegExp(`${AT}\\.udsName: Invalid value`)],
  [one({ proxyProtocol: "HTTPConnect", transport: {} }), new RegExp(`${AT}\\.tcp: Required value`)],
  [
    one({ proxyProtocol: "HTTPConnect", transport: { ...UDS, tcp: { url: "http://a" } } }),
    new RegExp(`${AT}\\.tcp: Invalid value`),
  ],
  [one({ proxyProtocol: "HTTPConnect", transport: { uds: {} } }), new RegExp(`${AT}\\.udsName: Invalid value`)],
  [connectTcp({ url: "proxy:8131" }), new RegExp(`${AT}\\.url: Invalid value: "proxy:8131"`)],
  [connectTcp({}), new RegExp(`${AT}\\.url: Invalid value: ""`)],
  [connectTcp({ url: "http://a b" }), new RegExp(`${AT}\\.url: Invalid value`)],
  [connectTcp({ url: "http://a", tlsConfig: TLS }), new RegExp(`${AT}\\.tlsConfig: Invalid value`)],
  [connectTcp({ url: "https://a" }), new RegExp(`${AT}\\.tlsConfig: Required value`)],
  [connectTcp({ url: "https://a", tlsConfig: {} }), /tlsConfig\.clientCert: Invalid/, /tlsConfig\.clientKey: Invalid/],
  [
    connectTcp({ url: "https://a", tlsConfig: { caBundle: "/gone/a", clientCert: "/gone/b", clientKey: "/gone/c" } }),
    /caBundle: Invalid value: "\/gone\/a"/,
    /clientCert: Invalid value: "\/gone\/b"/,
    /clientKey: Invalid value: "\/gone\/c"/,
  ],
  [
    config([{ name: "etcd", connection: { proxyProtocol: "Direct" } }, {
      name: "ETCD",
      connection: { proxyProtocol: "Direct" },
    }]),
    new RegExp(`${AT}\\[1\\]: Duplicate value: "etcd"`),
  ],
  [one({ proxyProtocol: "Direct" }, "master"), new RegExp(`${AT}: Unsupported value: "master"`)],
];

Deno.test("a file that is not right is refused, with all that is wrong", () => {
  for (const [text, ...why] of REFUSED) for (const each of why) assert.throws(() => read(text), each, text);
});

Deno.test("files of TLS must hold what they are for", async () => {
  const dir = await Deno.makeTempDir();
  const write = async (name: string, text: string) => {
    await Deno.writeTextFile(`${dir}/${name}`, text);
    return `${dir}/${name}`;
  };
  const cert = await write("cert", PROXY_CLIENT.cert), key = await write("key", PROXY_CLIENT.key);
  const caBundle = await write("ca", PROXY_CA), none = await write("none", "nothing");
  const opened = async (tlsConfig: Loose) => {
    const file = await write("egress.json", connectTcp({ url: "https://127.0.0.1:1", tlsConfig }));
    const parsed = parseOptions([`--egress-selector-config-file=${file}`]);
    assert.ok(parsed.kind === "run");
    return openEgress(parsed.options);
  };
  await opened({ caBundle, clientCert: cert, clientKey: key });
  await assert.rejects(opened({ caBundle: none, clientCert: cert, clientKey: key }), /none": is no certificate/);
  await assert.rejects(opened({ clientCert: key, clientKey: key }), /key": is no certificate/);
  await assert.rejects(opened({ clientCert: cert, clientKey: none }), /none": is no private key/);
  await assert.rejects(opened({ clientCert: caBundle, clientKey: key }), /is not the key of/);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("an issuer's network must be selected, were it to be reached directly", () => {
  assert.throws(() => outsideBy(undefined).fetchText(undefined, "cluster"), /selects no way to "cluster"/);
});
