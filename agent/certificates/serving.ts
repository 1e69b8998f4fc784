/** The pair that the agent's server shows. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import type { KeyPair } from "../../pki/pair.ts";
import type { NodeAddress } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { formatIp, tryParseIp } from "../../schema/values/ip.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import { fileFault } from "../files.ts";
import type { Api, Clock } from "../types.ts";
import { agentName } from "./client.ts";
import { servingFigures } from "./metrics.ts";
import { lifeOf, readPair } from "./pair.ts";
import { rotate } from "./rotation.ts";
import { PairStore } from "./store.ts";
import { selfSigned, type Template } from "./x509.ts";

/** How often files are looked at, ms. */
const LOOK_MS = 5_000;
/** So long before its end a certificate that signs itself gives way to another, ms. */
const BEFORE_MS = 24 * 60 * 60_000;

/** Options that it follows. */
export interface ServingOptions {
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly certDir: string;
  readonly rotateServerCertificates: boolean;
}

/** What it works with. */
export interface ServingParts {
  readonly nodeName: string;
  /** Of the node, as far as they are known. */
  addresses(): readonly NodeAddress[];
  gate(name: string): boolean;
  readonly product: Product;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
}

/** See the top of the file. */
export interface ServingCertificates {
  /** The pair as it is now. @throws Error while there is none yet */
  pair(): KeyPair;
  /** Follows the files, or renews the certificate, until the signal ends it. @param api undefined: nobody issues certificates */
  run(api: Api | undefined, signal: AbortSignal): Promise<void>;
}

/** Opens it. @throws Error for files that hold no pair, or cannot be written */
export async function servingCertificates(o: ServingOptions, p: ServingParts): Promise<ServingCertificates> {
  const named = o.tlsCertFile !== "" && o.tlsPrivateKeyFile !== "";
  const given = named ? [o.tlsCertFile, o.tlsPrivateKeyFile] as const : undefined;
  if (o.rotateServerCertificates && p.gate("RotateKubeletServerCertificate")) return await issuedPairs(o, p, given);
  const files = given ?? await ownPair(o.certDir, p);
  let pair = await readPair(...files);
  return {
    pair: () => pair,
    run: async (_, signal) => {
      while (!signal.aborted) {
        await p.clock.wait(LOOK_MS, signal);
        if (!given && isEnding(pair, p.clock)) {
          await ownPair(o.certDir, p).catch((e) => p.log("error", "no certificate is made", e));
        }
        // A pair that is being replaced: the old one serves until the next look.
        pair = await readPair(...files).catch(() => pair);
      }
    },
  };
}

const isEnding = ({ cert }: KeyPair, clock: Clock): boolean => lifeOf(cert).to - BEFORE_MS <= clock.now();

type Files = readonly [cert: string, key: string];

/** Files of a pair that signs itself, made where there is no good one. */
async function ownPair(directory: string, { nodeName, product, clock }: ServingParts): Promise<Files> {
  const files = [".crt", ".key"].map((end) => join(directory, agentName(product) + end)) as unknown as Files;
  const found = await readPair(...files).catch(() => undefined);
  if (found && !isEnding(found, clock)) return files;
  const { cert, key } = await selfSigned(nodeName, clock.now());
  await mkdir(directory, { recursive: true }).catch((e) => {
    throw fileFault("make", directory, e, "cert-dir");
  });
  await writeFile(files[1], key, { mode: 0o600 });
  await writeFile(files[0], cert, { mode: 0o644 });
  return files;
}

async function issuedPairs(o: ServingOptions, p: ServingParts, given: Files | undefined): Promise<ServingCertificates> {
  const { nodeName, product, clock, random, log } = p;
  const store = new PairStore(o.certDir, `${agentName(product)}-server`);
  let pair = await store.load() ?? (given && await readPair(...given));
  const figures = servingFigures(p.metrics ?? new Registry(), () => clock.now(), () => pair?.cert);
  return {
    pair: () => {
      if (pair && lifeOf(pair.cert).to > clock.now()) return pair;
      throw new Error("no serving certificate available for the node agent");
    },
    run: async (api, signal) => {
      if (!api) return;
      const template = () => templateOf(nodeName, p.addresses(), p.gate("AllowDNSOnlyNodeCSR"));
      const changed = (next: KeyPair) => void (pair = next);
      const signer = "kubernetes.io/kubelet-serving";
      await rotate(
        { store, signer, template, api: () => api, changed, product, clock, random, log, figures },
        store.current === undefined,
        signal,
      );
    },
  };
}

/** What a serving certificate says: the node's names and addresses; undefined while there is too little. */
export function templateOf(
  nodeName: string,
  addresses: readonly NodeAddress[],
  namesAlone: boolean,
): Template | undefined {
  const dnsNames = new Set<string>(), ips = new Set<string>();
  for (const { type, address } of addresses) {
    const ip = tryParseIp(address);
    if (ip && !type.endsWith("DNS")) ips.add(formatIp(ip));
    else if (type === "Hostname" || type.endsWith("DNS")) dnsNames.add(address);
  }
  if (ips.size === 0 && !(namesAlone && dnsNames.size > 0)) return undefined;
  return {
    commonName: `system:node:${nodeName}`,
    organizations: ["system:nodes"],
    dnsNames: [...dnsNames].sort(),
    ips: [...ips].sort(),
  };
}
