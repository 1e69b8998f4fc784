/** Encryption at rest of one server: the configuration at work, and its replacement by another. */
import type { Product } from "../../../schema/product.ts";
import type { Backend } from "../backend.ts";
import { EncryptedBackend } from "./backend.ts";
import { type KmsConfig, readEncryptionConfig } from "./config.ts";
import { hashed, ReloadMetrics } from "../../metrics/reloads.ts";
import { pause } from "../../pause.ts";
import { EncryptionMetrics } from "./metrics.ts";
import { resourceFinder } from "./resources.ts";
import { buildTable, type Service, type Table } from "./table.ts";
import type { RandomBytes } from "./types.ts";

/** What it is made with. */
export interface EncryptionInputs {
  readonly product: Product;
  /** `--store-prefix`. */
  readonly root: string;
  /** The file is followed. */
  readonly reload: boolean;
  readonly random: RandomBytes;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Names the server in metrics, by its hash. */
  readonly serverId: string;
  /** Connects to a service. @throws Error when it must not be used */
  readonly service: (config: KmsConfig, metrics: EncryptionMetrics) => Promise<Service>;
}

/** One check of a server's health. */
export interface EncryptionCheck {
  readonly name: string;
  /** @throws Error */
  check(): Promise<void>;
}

/** How often and how long the services of a new configuration are asked before it is refused, ms. */
const PROBE_MS = 100;
const PROBE_MIN_MS = 10_000;

/** See the top of the file. */
export class Encryption {
  readonly metrics: EncryptionMetrics;
  /** What became of other configurations. */
  readonly reloads: ReloadMetrics;
  readonly #inputs: EncryptionInputs;
  readonly #backends = new Set<EncryptedBackend>();
  /** Tables that were replaced, by the timers that end them. */
  readonly #closing = new Map<ReturnType<typeof setTimeout>, Table>();
  #table: Table;
  #hash: string;

  private constructor(inputs: EncryptionInputs, table: Table, text: string, metrics: EncryptionMetrics) {
    this.#inputs = inputs;
    this.#table = table;
    this.#hash = hashed(text);
    this.metrics = metrics;
    this.#listen(table);
    this.reloads = new ReloadMetrics("encryption", inputs.serverId, inputs.reload ? text : undefined, inputs.now);
  }

  /** @throws Error that tells all that is wrong with the configuration */
  static async of(text: string, inputs: EncryptionInputs): Promise<Encryption> {
    const metrics = new EncryptionMetrics(hashed(inputs.serverId), inputs.now);
    const table = await tableOf(text, inputs, metrics);
    return new Encryption(inputs, table, text, metrics);
  }

  /** The store through this encryption. */
  over(backend: Backend): EncryptedBackend {
    const find = resourceFinder(this.#inputs.product, this.#inputs.root);
    const made = new EncryptedBackend(backend, (key) => this.#table.transformerOf(find(key)));
    this.#backends.add(made);
    return made;
  }

  /**
   * `kms-provider-0` and so on; one `kms-providers` when the file is followed, or all services are of v2. Which it is
   * does not change with another configuration.
   */
  checks(): EncryptionCheck[] {
    const { services } = this.#table;
    const single = this.#inputs.reload || (services.length > 0 && services.every((s) => s.version === "v2"));
    if (single) return [{ name: "kms-providers", check: () => checkAll(this.#table) }];
    return services.map((service, i) => ({ name: `kms-provider-${i}`, check: () => service.check() }));
  }

  /**
   * Takes another text of the file into use; the same text changes nothing. Services of the old one stay until what is
   * under way with them must have ended.
   * @throws Error when it is wrong or one of its services is not healthy: the old one stays in use
   */
  async reload(text: string): Promise<boolean> {
    const hash = hashed(text);
    if (hash === this.#hash) return false;
    try {
      const table = await tableOf(text, this.#inputs, this.metrics);
      await healthy(table, this.#inputs.now);
      this.#replace(table, hash);
    } catch (e) {
      this.reloads.told(text, e as Error);
      throw e;
    }
    this.reloads.told(text);
    return true;
  }

  #replace(table: Table, hash: string): void {
    const old = this.#table;
    this.#table = table;
    this.#hash = hash;
    this.#listen(table);
    this.#reread();
    const timer = setTimeout(() => {
      this.#closing.delete(timer);
      old.close();
    }, graceOf(old));
    this.#closing.set(timer, old);
  }

  #listen(table: Table): void {
    for (const service of table.services) service.mended = () => this.#reread();
  }

  #reread(): void {
    for (const backend of this.#backends) backend.reread();
  }

  /** Ends all connections to services. */
  close(): void {
    for (const [timer, table] of this.#closing) {
      clearTimeout(timer);
      table.close();
    }
    this.#table.close();
  }
}

async function tableOf(text: string, inputs: EncryptionInputs, metrics: EncryptionMetrics): Promise<Table> {
  const rules = readEncryptionConfig(text, inputs.product, inputs.reload);
  const { product, random } = inputs;
  return await buildTable(rules, {
    product,
    random,
    tallyOf: metrics.transformed,
    service: (config) => inputs.service(config, metrics),
  });
}

/** Twice what all checks take one after another. */
const graceOf = (table: Table): number => 2 * table.services.reduce((n, s) => n + s.checkMs, 0);

async function checkAll(table: Table): Promise<void> {
  const outcomes = await Promise.allSettled(table.services.map((s) => s.check()));
  const failures = outcomes.flatMap((o, i) =>
    o.status === "rejected" ? [`kms-provider-${i}: ${(o.reason as Error).message}`] : []
  );
  if (failures.length > 0) throw new Error(failures.join("; "));
}

async function healthy(table: Table, now: () => number): Promise<void> {
  const until = now() + Math.max(PROBE_MIN_MS, graceOf(table));
  for (;;) {
    try {
      return await checkAll(table);
    } catch (e) {
      if (now() >= until) {
        table.close();
        throw e;
      }
    }
    await pause(PROBE_MS);
  }
}
