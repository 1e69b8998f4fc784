/** What encryption counts, under the public server's names. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { createHash } from "node:crypto";
import type { CountTransformation } from "./counted.ts";

type Outcome = "success" | "failure";

const CONTROLLER = "apiserver_encryption_config_controller";
const LATENCY = Array.from({ length: 14 }, (_, i) => 0.0001 * 2 ** i);

/** Metrics of one server's encryption. Call {@linkcode register} to have them shown. */
export class EncryptionMetrics {
  readonly #reloads = new Counter({
    name: `${CONTROLLER}_automatic_reloads_total`,
    help: "Times that another encryption configuration was taken into use, or refused",
    labelNames: ["status", "apiserver_id_hash"],
    registers: [],
  });
  readonly #reloadedAt = new Gauge({
    name: `${CONTROLLER}_automatic_reload_last_timestamp_seconds`,
    help: "When that last happened, in seconds since the epoch",
    labelNames: ["status", "apiserver_id_hash"],
    registers: [],
  });
  readonly #config = new Gauge({
    name: `${CONTROLLER}_last_config_info`,
    help: "The encryption configuration in use, by the hash of its file",
    labelNames: ["apiserver_id_hash", "hash"],
    registers: [],
  });
  readonly #counts = new Map<string, { labels: Record<string, string>; n: number }>();
  readonly #misses = new Counter({
    name: "apiserver_storage_envelope_transformation_cache_misses_total",
    help: "Times that a data key had to be asked for",
    registers: [],
  });
  readonly #generations = new Histogram({
    name: "apiserver_storage_data_key_generation_duration_seconds",
    help: "Time to make a data key, in seconds",
    buckets: Array.from({ length: 14 }, (_, i) => 5e-6 * 2 ** i),
    registers: [],
  });
  readonly #generationFailures = new Counter({
    name: "apiserver_storage_data_key_generation_failures_total",
    help: "Data keys that could not be made",
    registers: [],
  });
  readonly #calls = new Histogram({
    name: "apiserver_envelope_encryption_kms_operations_latency_seconds",
    help: "Time of calls to key management services, in seconds",
    labelNames: ["provider_name", "method_name", "grpc_status_code"],
    buckets: LATENCY,
    registers: [],
  });
  readonly #keyIds = new Counter({
    name: "apiserver_envelope_encryption_key_id_hash_total",
    help: "Values encrypted or decrypted, by the hash of the service's key",
    labelNames: ["transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash"],
    registers: [],
  });
  readonly #keyIdAt = new Gauge({
    name: "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds",
    help: "When a service last said which key it uses, in seconds since the epoch",
    labelNames: ["provider_name", "key_id_hash", "apiserver_id_hash"],
    registers: [],
  });
  readonly #invalidKeyIds = new Counter({
    name: "apiserver_envelope_encryption_invalid_key_id_from_status_total",
    help: "Times that a service said a key that cannot be one",
    labelNames: ["provider_name", "error"],
    registers: [],
  });
  readonly #fill = new Gauge({
    name: "apiserver_envelope_encryption_dek_cache_fill_percent",
    help: "How full the cache of data keys is",
    registers: [],
  });

  constructor(readonly server: string, readonly now: () => number) {}

  /** Shows them with all others of a server. */
  register(registry: Registry): void {
    const mine = [
      this.#done(),
      this.#reloads,
      this.#reloadedAt,
      this.#config,
      this.#misses,
      this.#generations,
      this.#generationFailures,
      this.#calls,
      this.#keyIds,
      this.#keyIdAt,
      this.#invalidKeyIds,
      this.#fill,
    ];
    for (const metric of mine) registry.registerMetric(metric as unknown as Gauge);
  }

  #done(): Counter {
    const counts = this.#counts;
    return new Counter({
      name: "apiserver_storage_transformation_operations_total",
      help: "Values encrypted and decrypted, by resource and the prefix of the stored value",
      labelNames: ["resource", "transformation_type", "transformer_prefix", "status"],
      registers: [],
      collect() {
        this.reset();
        for (const { labels, n } of counts.values()) this.inc(labels, n);
      },
    });
  }

  /** A configuration is in use. */
  configured(hash: string): void {
    this.#config.reset();
    this.#config.set({ apiserver_id_hash: this.server, hash }, 1);
  }

  /** Another configuration was tried. */
  reloaded(status: Outcome): void {
    const labels = { status, apiserver_id_hash: this.server };
    this.#reloads.inc(labels);
    this.#reloadedAt.set(labels, this.now() / 1000);
  }

  /** A value went through; counted here, and put into the metric when that is read. */
  readonly transformed: CountTransformation = (resource, type, prefix, status) => {
    const name = `${resource} ${type} ${status} ${prefix}`;
    const known = this.#counts.get(name);
    if (known) known.n++;
    else {
      const labels = { resource, transformation_type: type, transformer_prefix: prefix, status };
      this.#counts.set(name, { labels, n: 1 });
    }
  };

  /** A data key was not at hand. */
  missed(): void {
    this.#misses.inc();
  }

  /** Makes a data key, timed. */
  generated(make: () => Uint8Array): Uint8Array {
    const started = performance.now();
    try {
      const key = make();
      this.#generations.observe((performance.now() - started) / 1000);
      return key;
    } catch (e) {
      this.#generationFailures.inc();
      throw e;
    }
  }

  /** A call was made; `code` is the name of its gRPC status. */
  called(provider: string, method: string, code: string, seconds: number): void {
    this.#calls.observe({ provider_name: provider, method_name: method, grpc_status_code: code }, seconds);
  }

  /** A value went through a service's data key. */
  used(type: "to_storage" | "from_storage", provider: string, keyId: string): void {
    this.#keyIds.inc({
      transformation_type: type,
      provider_name: provider,
      key_id_hash: hashOf(keyId),
      apiserver_id_hash: this.server,
    });
  }

  /** A service said which key it uses. */
  keyIdSeen(provider: string, keyId: string): void {
    const labels = { provider_name: provider, key_id_hash: hashOf(keyId), apiserver_id_hash: this.server };
    this.#keyIdAt.set(labels, this.now() / 1000);
  }

  /** A service said a key that cannot be one. */
  keyIdInvalid(provider: string, error: "empty" | "too_long"): void {
    this.#invalidKeyIds.inc({ provider_name: provider, error });
  }

  /** How much of the cache of data keys is taken, 0 to 1. */
  filled(part: number): void {
    this.#fill.set(part);
  }
}

const hashes = new Map<string, string>();

/** `sha256:…`; nothing for nothing. */
export function hashOf(text: string): string {
  if (text === "") return "";
  const known = hashes.get(text);
  if (known) return known;
  if (hashes.size > 1000) hashes.clear();
  const made = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  hashes.set(text, made);
  return made;
}
