/** What encryption counts, under the public server's names. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { hashed } from "../../metrics/reloads.ts";
import type { Tally, TallyOf } from "./counted.ts";
import { Durations } from "./durations.ts";
import { KeyUses } from "./key_ids.ts";

const ENVELOPE = "apiserver_envelope_encryption";
const LATENCY = Array.from({ length: 20 }, (_, i) => 0.0001 * 2 ** i);
const ARRIVAL = Array.from({ length: 10 }, (_, i) => 60 * 2 ** i);

/** Metrics of one server's encryption. Call {@linkcode register} to have them shown. */
export class EncryptionMetrics {
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; n: number }>();
  readonly #durations = new Durations(
    "apiserver_storage_transformation_duration_seconds",
    "Time of encryption and decryption of values, in seconds",
  );
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
  readonly #keys = new KeyUses();
  readonly #seen = new KeyUses();
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
  readonly #sources = new Gauge({
    name: `${ENVELOPE}_dek_source_cache_size`,
    help: "Seeds of data keys held; about so many calls of the service a restart takes",
    labelNames: ["provider_name"],
    registers: [],
  });
  readonly #arrivals = new Histogram({
    name: `${ENVELOPE}_dek_cache_inter_arrival_time_seconds`,
    help: "Time between a value that needs a data key and the one before, in seconds",
    labelNames: ["transformation_type"],
    buckets: ARRIVAL,
    registers: [],
  });
  readonly #arrived = new Map<string, number>();

  constructor(readonly server: string, readonly now: () => number) {}

  /** Shows them with all others of a server. */
  register(registry: Registry): void {
    const mine = [
      this.#done(),
      this.#durations,
      this.#misses,
      this.#generations,
      this.#generationFailures,
      this.#calls,
      ...this.#keyMetrics(),
      this.#invalidKeyIds,
      this.#fill,
      this.#sources,
      this.#arrivals,
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
        for (const { labels, n } of counts.values()) if (n > 0) this.inc(labels, n);
      },
    });
  }

  #keyMetrics(): (Counter | Gauge)[] {
    const [keys, seen] = [this.#keys, this.#seen];
    const used = ["transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash"];
    return [
      new Counter({
        name: `${ENVELOPE}_key_id_hash_total`,
        help: "Values encrypted or decrypted, by the hash of the service's key",
        labelNames: used,
        registers: [],
        collect() {
          this.reset();
          for (const { labels, n } of keys.values()) this.inc(labels, n);
        },
      }),
      new Gauge({
        name: `${ENVELOPE}_key_id_hash_last_timestamp_seconds`,
        help: "When a service's key was last used, in seconds since the epoch",
        labelNames: used,
        registers: [],
        collect() {
          this.reset();
          for (const { labels, at } of keys.values()) this.set(labels, at);
        },
      }),
      new Gauge({
        name: `${ENVELOPE}_key_id_hash_status_last_timestamp_seconds`,
        help: "When a service last said which key it uses, in seconds since the epoch",
        labelNames: used.slice(1),
        registers: [],
        collect() {
          this.reset();
          for (const { labels, at } of seen.values()) this.set(labels, at);
        },
      }),
    ];
  }

  /** Values that go through; counted here, and put into the metrics when these are read. */
  readonly transformed: TallyOf = (resource, type, prefix): Tally => {
    const times = this.#durations.row({ transformation_type: type, transformer_prefix: prefix });
    const labels = { resource, transformation_type: type, transformer_prefix: prefix };
    const done = this.#count({ ...labels, status: "OK" });
    return {
      succeeded(seconds) {
        done.n++;
        times.add(seconds);
      },
      failed: (status) => void this.#count({ ...labels, status }).n++,
    };
  };

  #count(labels: Readonly<Record<string, string>>): { n: number } {
    const key = Object.values(labels).join(" ");
    let count = this.#counts.get(key);
    if (!count) this.#counts.set(key, count = { labels, n: 0 });
    return count;
  }

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
    const labels = () => ({ transformation_type: type, ...this.#keyLabels(provider, keyId) });
    this.#keys.add(`${type} ${provider} ${keyId}`, labels, this.now() / 1000);
  }

  /** A service said which key it uses. */
  keyIdSeen(provider: string, keyId: string): void {
    this.#seen.add(`${provider} ${keyId}`, () => this.#keyLabels(provider, keyId), this.now() / 1000);
  }

  #keyLabels(provider: string, keyId: string): Record<string, string> {
    return { provider_name: provider, key_id_hash: hashOf(keyId), apiserver_id_hash: this.server };
  }

  /** A service said a key that cannot be one. */
  keyIdInvalid(provider: string, error: "empty" | "too_long"): void {
    this.#invalidKeyIds.inc({ provider_name: provider, error });
  }

  /** A value came that needs a data key of v1. */
  arrived(type: "to_storage" | "from_storage"): void {
    const now = this.now();
    this.#arrivals.observe({ transformation_type: type }, Math.max(0, now - (this.#arrived.get(type) ?? now)) / 1000);
    this.#arrived.set(type, now);
  }

  /** So many seeds of a service are held. */
  sources(provider: string, n: number): void {
    this.#sources.set({ provider_name: provider }, n);
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
  const made = hashed(text);
  hashes.set(text, made);
  return made;
}
