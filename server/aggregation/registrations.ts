/** Group versions that an `APIService` gives to another server, by what the objects say now. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Entry } from "../cache/mod.ts";

/** Public id of the resource. */
export const API_SERVICES = "apiservices.apiregistration.k8s.io";

/** A group version of another server. */
export interface Registration {
  /** Of the object: `<version>.<group>`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** PEM of the authorities that vouch for the server; empty: the host's roots. */
  readonly ca: string;
  readonly insecure: boolean;
  /** Its condition says so. */
  readonly available: boolean;
}

/** Where a group version stands among the others. */
export interface Standing {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** This server, or one like it, keeps the object for what it serves. */
  readonly managed: boolean;
  /** What its condition `Available` says. */
  readonly available: boolean;
}

/** What an object registers; undefined when this server serves it itself. */
function registrationOf(object: Obj): Registration | undefined {
  const spec = object["spec"] as JsonMap | undefined;
  const service = spec?.["service"] as JsonMap | undefined;
  const group = String(spec?.["group"] ?? "");
  // The first group has no name, and can be given to nobody.
  if (!spec || !service || group === "") return undefined;
  const bundle = spec["caBundle"];
  return {
    name: object.metadata.name!,
    group,
    version: String(spec["version"] ?? ""),
    service: {
      namespace: String(service["namespace"] ?? ""),
      name: String(service["name"] ?? ""),
      port: Number(service["port"] ?? 443),
    },
    ca: bundle ? new TextDecoder().decode(Uint8Array.fromBase64(String(bundle))) : "",
    insecure: spec["insecureSkipTLSVerify"] === true,
    available: availability(object)?.["status"] === "True",
  };
}

const availability = (object: Obj): JsonMap | undefined =>
  ((object["status"]?.conditions ?? []) as JsonMap[]).find((c) => c["type"] === "Available");

/** See the top of the file. All reads O(1). */
export class Registrations {
  readonly #others = new Map<string, Registration>();
  readonly #standings = new Map<string, Standing>();
  /** How often a group version stopped to be available, by object and reason. */
  readonly #lost = new Map<string, Map<string, number>>();
  readonly #listeners = new Set<(name: string) => void>();
  readonly #label: string;

  /** @param label by which servers mark the objects that they keep */
  constructor(label: string) {
    this.#label = label;
  }

  /** Whether any group version is another server's. */
  get any(): boolean {
    return this.#others.size > 0;
  }

  /** The registration of a group version of another server. */
  find(group: string, version: string): Registration | undefined {
    const found = this.#others.get(`${version}.${group}`);
    // A version that is asked for may have a dot, which in the name ends the version.
    return found?.group === group ? found : undefined;
  }

  /** The registration by the object's name. */
  named(name: string): Registration | undefined {
    return this.#others.get(name);
  }

  /** All of them. */
  others(): Iterable<Registration> {
    return this.#others.values();
  }

  /** Every registered group version, this server's own too, by the objects' names. */
  standings(): ReadonlyMap<string, Standing> {
    return this.#standings;
  }

  /** Hears of an object. */
  tell(entry: Entry, deleted: boolean): void {
    this.#put(entry.name, deleted ? undefined : entry.readable());
  }

  /** Hears whether an object of a name is there, of all that it was told of: nobody tells what goes while caches are read anew. */
  keep(there: (name: string) => boolean): void {
    for (const name of [...this.#standings.keys()]) if (!there(name)) this.#put(name, undefined);
  }

  #put(name: string, object: Obj | undefined): void {
    const spec = object?.["spec"] as JsonMap | undefined;
    const other = object && registrationOf(object);
    const condition = object && availability(object), available = condition?.["status"] === "True";
    if (object && !available && this.#standings.get(name)?.available) {
      this.#lose(name, String(condition?.["reason"] ?? ""));
    }
    if (other) this.#others.set(name, other);
    else this.#others.delete(name);
    if (spec) {
      this.#standings.set(name, {
        group: String(spec["group"] ?? ""),
        version: String(spec["version"] ?? ""),
        groupPriority: Number(spec["groupPriorityMinimum"] ?? 0),
        versionPriority: Number(spec["versionPriority"] ?? 0),
        available,
        managed: other === undefined && object!.metadata.labels?.[this.#label] !== undefined,
      });
    } else {
      this.#standings.delete(name);
      this.#lost.delete(name);
    }
    for (const listener of this.#listeners) listener(name);
  }

  #lose(name: string, reason: string): void {
    const reasons = this.#lost.get(name) ?? new Map<string, number>();
    this.#lost.set(name, reasons.set(reason, (reasons.get(reason) ?? 0) + 1));
  }

  /** For each object whether it is unavailable (1) or not (0). */
  unavailable(): [labels: Record<string, string>, value: number][] {
    return [...this.#standings].map(([name, { available }]) => [{ name }, available ? 0 : 1]);
  }

  /** How often each stopped to be available. */
  losses(): [labels: Record<string, string>, value: number][] {
    return [...this.#lost].flatMap(([name, reasons]) =>
      [...reasons].map(([reason, n]): [Record<string, string>, number] => [{ name, reason }, n])
    );
  }

  /** Calls back with the name of each object that came, changed or went. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.add(listener);
  }
}
