/** What encryption counts, under the public server's names. */
import { Counter, Gauge, type Registry } from "prom-client";
import { Buckets } from "../../metrics/buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "../../metrics/by_labels.ts";
import { hashed } from "../../metrics/reloads.ts";
import type { Tally, TallyOf } from "./counted.ts";
import { KeyUses } from "./key_ids.ts";

const ENVELOPE = "apiserver_envelope_encryption";
/** Bounds of buckets, s: from 5 µs on, each twice the one before. */
const SECONDS = Array.from({ length: 25 }, (_, i) => 5e-6 * 2 ** i);
const LATENCY = Array.from({ length: 20 }, (_, i) => 0.0001 * 2 ** i);
const ARRIVAL = Array.from({ length: 10 }, (_, i) => 60 * 2 ** i);

/** Metrics of one server's encryption, shown by {@linkcode EncryptionMetrics.register} and {@linkcode EncryptionMetrics.rows}. */
export class EncryptionMetrics {
  readonly #done = new ByLabels(() => 0);
  readonly #durations = new ByLabels(() => new Buckets(SECONDS));
  readonly #misses = new Counter({
    name: "apiserver_storage_envelope_transformation_cache_misses_total",
    help: "Times that a data key had to be asked for",
    registers: [],
  });
  readonly #generations = new Buckets(SECONDS.slice(0, 14));
  readonly #generationFailures = new Counter({
    name: "apiserver_storage_data_key_generation_failures_total",
    help: "Data keys that could not be made",
    registers: [],
  });
  readonly #calls = new ByLabels(() => new Buckets(LATENCY));
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
  readonly #arrivals = new ByLabels(() => new Buckets(ARRIVAL));
  readonly #arrived = new Map<string, number>();

  constructor(readonly server: string, readonly now: () => number) {}

  /** Those that are asked for when they are read. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "apiserver_storage_transformation_operations_total",
        help: "Values encrypted and decrypted, by resource and the prefix of the stored value",
        type: "counter",
        samples: (name) => counterOf(this.#done)(name).filter(({ value }) => value > 0),
      },
      {
        name: "apiserver_storage_transformation_duration_seconds",
        help: "Time of encryption and decryption of values, in seconds",
        type: "histogram",
        samples: (name) =>
          this.#durations.entries().flatMap(({ labels, value }) => value.count > 0 ? value.samples(name, labels) : []),
      },
      {
        name: "apiserver_storage_data_key_generation_duration_seconds",
        help: "Time to make a data key, in seconds",
        type: "histogram",
        samples: (name) => this.#generations.samples(name, {}),
      },
      {
        name: `${ENVELOPE}_kms_operations_latency_seconds`,
        help: "Time of calls to key management services, in seconds",
        type: "histogram",
        samples: histogramOf(this.#calls),
      },
      {
        name: `${ENVELOPE}_dek_cache_inter_arrival_time_seconds`,
        help: "Time between a value that needs a data key and the one before, in seconds",
        type: "histogram",
        samples: histogramOf(this.#arrivals),
      },
    ];
  }

  /** Shows the others with all of a server. */
  register(registry: Registry): void {
    const mine = [
      this.#misses,
      this.#generationFailures,
      ...this.#keyMetrics(),
      this.#invalidKeyIds,
      this.#fill,
      this.#sources,
    ];
    for (const metric of mine) registry.registerMetric(metric as Gauge);
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
    const times = this.#durations.at({ transformation_type: type, transformer_prefix: prefix }).value;
    const labels = { resource, transformation_type: type, transformer_prefix: prefix };
    const done = this.#done.at({ ...labels, status: "OK" });
    return {
      succeeded(seconds) {
        done.value++;
        times.add(seconds);
      },
      failed: (status) => void this.#done.at({ ...labels, status }).value++,
    };
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
      this.#generations.add((performance.now() - started) / 1000);
      return key;
    } catch (e) {
      this.#generationFailures.inc();
      throw e;
    }
  }

  /** A call was made; `code` is the name of its gRPC status. */
  called(provider: string, method: string, code: string, seconds: number): void {
    this.#calls.at({ provider_name: provider, method_name: method, grpc_status_code: code }).value.add(seconds);
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
    this.#arrivals.at({ transformation_type: type }).value.add((now - (this.#arrived.get(type) ?? now)) / 1000);
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
