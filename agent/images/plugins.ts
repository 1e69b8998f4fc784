/** Credentials that plugins give (`--image-credential-provider-config`), kept as long as they say. */
import { join } from "node:path";
import type { Pod, ServiceAccount } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import { durationToNanos } from "../../schema/values/duration.ts";
import type { Clock, PodRef } from "../types.ts";
import type { Logins } from "./docker_config.ts";
import { meansImage } from "./glob.ts";
import { type CredentialOwner, Keyring } from "./keyring.ts";
import type { PluginConfig, TokenAttributes } from "./plugin_config.ts";
import { askPlugin, type PluginRequest, type PluginResponse } from "./plugin_exec.ts";

/** The API's service accounts. Both throw when they cannot be had. */
export interface ServiceAccounts {
  find(namespace: string, name: string): Promise<ServiceAccount>;
  /** A token of an account for an audience, bound to the pod. */
  token(account: CredentialOwner, audience: string, pod: PodRef): Promise<string>;
}

/** What plugins need. */
export interface PluginParts {
  readonly binDir: string;
  readonly clock: Clock;
  readonly log: LogLine;
  readonly accounts: ServiceAccounts;
  /** The agent's life. */
  readonly signal: AbortSignal;
  /** How long a plugin may take, ms; a minute without. */
  readonly limit?: number;
}

/** On whose behalf a plugin is asked. */
interface Asker {
  readonly request: PluginRequest;
  readonly owner?: CredentialOwner;
  /** Beside the image, by what an answer is kept. */
  readonly key: string;
}

/** Answers kept of one plugin at most; the oldest go first. */
const MOST_KEPT = 1000;
const EVERYWHERE = "<global>";

/** By what an answer is kept, by the word that the plugin says. */
const KEYS = new Map<string, (repository: string) => string>([
  ["Image", (repository) => repository],
  ["Registry", (repository) => repository.split("/", 1)[0]!],
  ["Global", () => EVERYWHERE],
]);

/** All plugins. */
export class Plugins {
  readonly #plugins: readonly Plugin[];

  constructor(configs: readonly PluginConfig[], parts: PluginParts) {
    this.#plugins = configs.map((config) => new Plugin(config, parts));
  }

  /** What all plugins for a repository say. Never throws: one that fails is told in the log and gives nothing. */
  async keyring(repository: string, pod: Pod): Promise<Keyring> {
    const keyring = new Keyring();
    const answers = await Promise.all(this.#plugins.map((plugin) => plugin.logins(repository, pod)));
    for (const answer of answers) if (answer) keyring.add(answer.logins, answer.owner);
    return keyring;
  }
}

interface Answer {
  readonly logins: Logins;
  readonly owner?: CredentialOwner | undefined;
}

class Plugin {
  readonly #kept = new Map<string, { readonly logins: Logins; readonly until: number }>();
  readonly #asked = new Map<string, Promise<PluginResponse>>();

  constructor(readonly config: PluginConfig, readonly parts: PluginParts) {}

  async logins(repository: string, pod: Pod): Promise<Answer | undefined> {
    if (!this.config.matchImages.some((pattern) => meansImage(pattern, repository))) return undefined;
    try {
      const asker = await this.#asker(repository, pod);
      if (!asker) return undefined;
      const logins = this.#find(repository, asker.key) ?? await this.#fetch(repository, asker);
      return { logins, owner: asker.owner };
    } catch (e) {
      this.parts.log("error", `credentials of plugin ${this.config.name} for image ${repository}`, e);
      return undefined;
    }
  }

  /** Undefined: the pod is none of the plugin's business. */
  async #asker(image: string, pod: Pod): Promise<Asker | undefined> {
    const tokens = this.config.tokenAttributes;
    const account = pod.spec?.serviceAccountName;
    if (!tokens) return { request: { image }, key: "" };
    if (!account) return tokens.requireServiceAccount ? undefined : { request: { image }, key: "" };
    const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
    const { metadata } = await this.parts.accounts.find(namespace, account);
    const annotations = annotationsFor(tokens, metadata?.annotations ?? {});
    if (!annotations) return undefined;
    const owner = { kind: "ServiceAccount", namespace, name: account, uid: metadata?.uid ?? "" } as const;
    const token = await this.parts.accounts.token(owner, tokens.serviceAccountTokenAudience, { namespace, name, uid });
    const by = tokens.cacheType === "Token" ? token : "";
    return {
      request: { image, serviceAccountToken: token, serviceAccountAnnotations: annotations },
      owner,
      key: JSON.stringify([owner, Object.entries(annotations).sort(), by]),
    };
  }

  #find(repository: string, key: string): Logins | undefined {
    for (const part of KEYS.values()) {
      const kept = this.#kept.get(keptKey(part(repository), key));
      if (kept && kept.until >= this.parts.clock.ticks()) return kept.logins;
    }
    return undefined;
  }

  async #fetch(repository: string, { request, key }: Asker): Promise<Logins> {
    const response = await this.#ask(request);
    const part = KEYS.get(response.cacheKeyType);
    if (!part) {
      throw new Error(`credential provider plugin did not return a valid cacheKeyType: ${response.cacheKeyType}`);
    }
    const logins = new Map(
      Object.entries(response.auth ?? {}).map(([registry, { username = "", password = "" }]) =>
        [registry, { username, password }] as const
      ),
    );
    const token = request.serviceAccountToken;
    if (token && this.config.tokenAttributes!.cacheType !== "Token") {
      if ([...logins.values()].some(({ password }) => password === token)) {
        throw new Error("it gave the token as the password, for which its cacheType must be Token");
      }
    }
    const ms = Number(durationToNanos(response.cacheDuration ?? this.config.defaultCacheDuration)) / 1e6;
    if (ms > 0) this.#keep(keptKey(part(repository), key), logins, ms);
    return logins;
  }

  /** Those who ask the same at a time share the answer. */
  async #ask(request: PluginRequest): Promise<PluginResponse> {
    const same = JSON.stringify(request);
    const asked = this.#asked.get(same) ??
      askPlugin(join(this.parts.binDir, this.config.name), this.config, request, this.parts.signal, this.parts.limit);
    this.#asked.set(same, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(same);
    }
  }

  #keep(key: string, logins: Logins, ms: number): void {
    const now = this.parts.clock.ticks();
    for (const [key, { until }] of this.#kept) if (until < now) this.#kept.delete(key);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, { logins, until: now + ms });
  }
}

const keptKey = (part: string, key: string): string => `${part} ${key}`;

/** Undefined: one that must be there is not. */
function annotationsFor(
  tokens: TokenAttributes,
  annotations: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const required = tokens.requiredServiceAccountAnnotationKeys ?? [];
  if (required.some((key) => annotations[key] === undefined)) return undefined;
  const wanted = [...required, ...tokens.optionalServiceAccountAnnotationKeys ?? []];
  return Object.fromEntries(wanted.flatMap((key) => annotations[key] === undefined ? [] : [[key, annotations[key]]]));
}
