/** A configuration at work: for each resource the transformer of its entry, and what is behind the transformers. */
import type { Product } from "../../../schema/product.ts";
import { utf8 } from "./bytes.ts";
import { Chain, type Link } from "./chain.ts";
import { aescbc, aesgcm } from "./ciphers.ts";
import type { EncryptionRule, KmsConfig, NamedKey, ProviderConfig } from "./config.ts";
import { refuseMasked } from "./config_resources.ts";
import { counted, type TallyOf } from "./counted.ts";
import { identity } from "./identity.ts";
import { candidates, parseRule, ruleName } from "./resources.ts";
import type { RandomBytes, Transformer } from "./types.ts";

/** A key management service in use. */
export interface Service {
  readonly version: "v1" | "v2";
  readonly transformer: Transformer;
  /** Longest time that one check takes, ms. */
  readonly checkMs: number;
  /** @throws Error that tells what is wrong with it */
  check(): Promise<void>;
  /** To be called when it gives what it refused before: values that could not be read can be. */
  mended?: () => void;
  close(): void;
}

/** What a table is built with. */
export interface TableContext {
  readonly product: Product;
  readonly random: RandomBytes;
  readonly tallyOf: TallyOf;
  /** Connects to a service; one that does not answer yet is no error. @throws Error when it must not be used */
  service(config: KmsConfig): Promise<Service>;
}

/** See the top of the file. */
export class Table {
  readonly #known = new Map<string, Transformer>();

  constructor(
    readonly rules: ReadonlyMap<string, Chain>,
    readonly services: readonly Service[],
    readonly plain: Transformer,
    readonly tallyOf: TallyOf,
  ) {}

  /** Of the closest rule for a resource (`secrets`, `deployments.apps`); without one, values are plain. */
  transformerOf(name: string | undefined): Transformer {
    if (name === undefined) return this.plain;
    const known = this.#known.get(name);
    if (known) return known;
    const rule = candidates(name).find((c) => this.rules.has(c));
    const found = rule === undefined ? this.plain : counted(this.rules.get(rule)!, name, this.tallyOf);
    this.#known.set(name, found);
    return found;
  }

  /** Ends the connections. */
  close(): void {
    for (const service of this.services) service.close();
  }
}

/** Connects to the services and builds the table. @throws Error when a rule can never be reached, or a service not be used */
export async function buildTable(rules: readonly EncryptionRule[], context: TableContext): Promise<Table> {
  refuseMasked(rules);
  const encrypted = utf8(context.product.encryptionPrefix);
  const links = new Map<string, Link[]>();
  const services: Service[] = [];
  try {
    for (const { resources, providers } of rules) {
      const made: Link[] = [];
      for (const provider of providers) made.push(await linkOf(provider, context, services));
      // A resource of several entries has the providers of all of them, in their order.
      // The core group may be named by nothing after a dot: `secrets.`.
      for (const name of resources.map(parseRule).map(ruleName)) links.set(name, [...links.get(name) ?? [], ...made]);
    }
  } catch (e) {
    for (const service of services) service.close();
    throw e;
  }
  const none = "no provider of this resource is for values that begin so";
  const chains = [...links].map(([name, of]) => [name, new Chain(of, none)] as const);
  return new Table(new Map(chains), services, identity(encrypted), context.tallyOf);
}

const CIPHERS = {
  aescbc: () => Promise.resolve(aescbc),
  aesgcm: () => Promise.resolve(aesgcm),
  secretbox: async () => (await import("./box.ts")).secretbox,
} as const;

async function linkOf(provider: ProviderConfig, context: TableContext, services: Service[]): Promise<Link> {
  const { encryptionPrefix } = context.product;
  if (provider.type === "identity") return { prefix: utf8(""), transformer: identity(utf8(encryptionPrefix)) };
  if (provider.type === "kms") {
    const service = await context.service(provider);
    services.push(service);
    const prefix = utf8(`${encryptionPrefix}kms:${provider.version}:${provider.name}:`);
    return { prefix, transformer: service.transformer };
  }
  const { type, keys } = provider;
  const cipher = await CIPHERS[type]();
  const one = ({ name, secret }: NamedKey): Link => ({
    prefix: utf8(`${name}:`),
    transformer: cipher(secret, context.random),
  });
  const transformer = new Chain(keys.map(one), `no key of ${type} has the value's key name`);
  return { prefix: utf8(`${encryptionPrefix}${type}:v1:`), transformer };
}
