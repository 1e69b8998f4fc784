/** Who the agent is to the API server: a certificate that it asks for, and renews. */
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Registry } from "prom-client";
import { generateKey } from "../../pki/keys.ts";
import type { KeyPair } from "../../pki/pair.ts";
import type { LogLine } from "../../schema/log/log.ts";
import { type Connection, connectionText } from "../../schema/connection.ts";
import type { Product } from "../../schema/product.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import { type ApiClient, connectionFile, growing } from "../client/mod.ts";
import { ApiError, type Clock } from "../types.ts";
import { clientFigures } from "./metrics.ts";
import { isKey, lifeOf } from "./pair.ts";
import { rotate } from "./rotation.ts";
import { askForCertificate, usagesOf } from "./signing.ts";
import { PairStore } from "./store.ts";
import type { Template } from "./x509.ts";

const SIGNER = "kubernetes.io/kube-apiserver-client-kubelet";
/** How long approval of the first certificate may take, ms. */
const WAIT_MS = 60 * 60_000;
/** Pauses until the server answers, ms. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;
/** How long a server that answers is waited for until it is well: one that has just begun may know no rights yet, ms. */
const UNWELL_MS = 60_000;

/** Options that it follows. */
export interface ClientCertificateOptions {
  /** Path of the connection file. */
  readonly orchconfig: string;
  /** Of the one to ask for a certificate by; empty: none. */
  readonly bootstrapOrchconfig: string;
  readonly certDir: string;
  readonly rotateCertificates: boolean;
}

/** What it works with. */
export interface ClientCertificateParts {
  readonly nodeName: string;
  readonly product: Product;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
  /** A client of the server that a connection names. */
  open(connection: () => Connection): ApiClient;
}

/** The agent's credentials. */
export interface ClientCertificates {
  /** The connection as it is now: of the file, by the certificate in use. */
  connection(): Connection;
  /** Renews the certificate, if that is wanted, until the signal ends it. @param client its connections are taken anew each time */
  run(client: ApiClient, signal: AbortSignal): Promise<void>;
}

/** How files of the agent's certificates begin. */
export const agentName = (product: Product): string => product.dialect === "orch" ? "orchlet" : "kubelet";

const templateOf = (nodeName: string): Template => ({
  commonName: `system:node:${nodeName}`,
  organizations: ["system:nodes"],
  dnsNames: [],
  ips: [],
});

/**
 * Opens the connection file. Where it is not there, or its certificate is no longer good, a certificate is asked for by the bootstrap
 * file, and waited for.
 * @throws Error when there is no good connection and none is to be had
 */
export async function clientCertificates(
  o: ClientCertificateOptions,
  p: ClientCertificateParts,
  signal: AbortSignal,
): Promise<ClientCertificates> {
  const store = new PairStore(o.certDir, `${agentName(p.product)}-client`);
  await store.load();
  if (o.bootstrapOrchconfig !== "" && !isGood(o.orchconfig, p.clock)) await bootstrap(o, p, store, signal);
  const file = connectionFile("orchconfig", o.orchconfig, p.clock);
  const { cert } = file();
  if (!o.rotateCertificates || cert === undefined) return { connection: file, run: async () => {} };
  const good = () => store.current && lifeOf(store.current.cert).to > p.clock.now() ? store.current : undefined;
  // What the file itself holds is as good as any, but not of the store: it is renewed at once.
  const foreign = good() === undefined;
  let last: Connection | undefined, from: Connection | undefined, by: KeyPair | undefined;
  const connection = (): Connection => {
    const now = file(), pair = good();
    if (last && now === from && pair === by) return last;
    [from, by] = [now, pair];
    return last = { ...now, ...pair };
  };
  const run = async (client: ApiClient, signal: AbortSignal): Promise<void> => {
    const { product, clock, random, log, metrics = new Registry() } = p;
    const figures = clientFigures(metrics, () => clock.now(), () => good()?.cert);
    const again = p.open(() => connectionFile("bootstrap-orchconfig", o.bootstrapOrchconfig, clock)());
    // Who comes too late with an old certificate begins anew.
    const api = () => o.bootstrapOrchconfig !== "" && lifeOf(connection().cert!).to <= clock.now() ? again : client;
    const changed = () => [client, again].forEach((c) => c.renew());
    const template = () => templateOf(p.nodeName);
    await rotate(
      { store, signer: SIGNER, template, api, changed, product, clock, random, log, figures },
      foreign,
      signal,
    );
    again.renew();
  };
  return { connection, run };
}

/** Whether a connection file is there that can be used, for as long as its certificate is good. */
function isGood(path: string, clock: Clock): boolean {
  try {
    const { cert } = connectionFile("orchconfig", path, clock)();
    return cert === undefined || lifeOf(cert).to > clock.now();
  } catch {
    return false;
  }
}

async function bootstrap(
  o: ClientCertificateOptions,
  p: ClientCertificateParts,
  store: PairStore,
  signal: AbortSignal,
): Promise<void> {
  const { nodeName, product, clock, log } = p;
  const connection = connectionFile("bootstrap-orchconfig", o.bootstrapOrchconfig, clock);
  const client = p.open(connection);
  const template = templateOf(nodeName);
  const kept = join(resolve(o.certDir), `${agentName(product)}-client.key.tmp`);
  try {
    await reached(client, p, signal);
    const key = await keyIn(kept);
    log("info", "a client certificate is asked for");
    const wanted = { template, key, signer: SIGNER, name: requestName(template, key), waitMs: WAIT_MS } as const;
    const cert = await askForCertificate(client, product, clock, wanted, signal);
    await store.update({ cert, key }, clock.now());
  } finally {
    client.renew();
  }
  const text = connectionText(connection(), store.path);
  await mkdir(dirname(resolve(o.orchconfig)), { recursive: true });
  await writeFile(`${o.orchconfig}.tmp`, text, { mode: 0o600 });
  await rename(`${o.orchconfig}.tmp`, o.orchconfig);
  await rm(kept, { force: true });
}

/** Waits until the server answers: that it is well, or for long that it is not. */
async function reached(client: ApiClient, p: ClientCertificateParts, signal: AbortSignal): Promise<void> {
  const { clock, log } = p, pauses = growing(PAUSE_MS, MAX_PAUSE_MS, p.random);
  for (let unwell: number | undefined;;) {
    try {
      return await client.request("GET", "/healthz", { signal });
    } catch (e) {
      signal.throwIfAborted();
      if (e instanceof ApiError) {
        unwell ??= clock.ticks();
        if (e.code < 429 || clock.ticks() - unwell >= UNWELL_MS) return;
      }
      log("warn", "the API server is not ready yet", e instanceof Error ? e.message : e);
      await clock.wait(pauses.next(), signal);
    }
  }
}

/** The key that an attempt before this one asked for a certificate with, else a new one, which is kept. */
async function keyIn(path: string): Promise<string> {
  const before = await readFile(path, "utf8").catch(() => "");
  if (isKey(before)) return before;
  const key = generateKey("pkcs8");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, key, { mode: 0o600 });
  return key;
}

/** A name that only a request for this has. */
function requestName({ commonName, organizations }: Template, key: string): string {
  const own = createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "der" }).toString("base64url");
  const parts = [own, commonName, ...organizations, ...usagesOf(SIGNER)];
  return `node-csr-${createHash("sha256").update(parts.join("|")).digest("base64url")}`;
}
