/** Extension servers behind `APIService` objects, as the rest of a server sees them. */
import { type AddressContext, placing } from "../admission/webhooks/address.ts";
import { follow } from "../controllers/follow.ts";
import type { ProxyTransport } from "../proxy/types.ts";
import type { Store } from "../registry/store.ts";
import type { RequestScope } from "../request.ts";
import { ExtensionDiscovery } from "./discovery.ts";
import { ExtensionOpenApi } from "./openapi.ts";
import { passOn, type PassParts } from "./pass.ts";
import { Reach, type ReachParts } from "./reach.ts";
import { type Registration, Registrations } from "./registrations.ts";
import { type FrontProxyNames, tellsUser } from "../proxy/user.ts";

/** What extension servers are reached by. */
export interface AggregatorParts {
  readonly addresses: AddressContext;
  /** Closed by whoever made it. */
  readonly transport: ProxyTransport;
  readonly options: FrontProxyNames & { readonly aggregatorRejectForwardingRedirect: boolean };
  readonly identity: ReachParts["identity"];
  gate(name: string): boolean;
  random(): number;
  log(level: "info", text: string): void;
}

/** See the top of the file. */
export class Aggregator {
  readonly registrations: Registrations;
  readonly reach: Reach;
  readonly discovery: ExtensionDiscovery;
  readonly openApi: ExtensionOpenApi;
  readonly #pass: PassParts;

  constructor(parts: AggregatorParts) {
    const { addresses, transport, options, identity, random } = parts;
    const { product } = addresses;
    const registrations = this.registrations = new Registrations(
      product.local("kube-aggregator.kubernetes.io/automanaged"),
    );
    const log = (what: string) => (name: string, error: unknown) => {
      // Whether it can be reached is told by its status: what is told of here is what it cannot say though it is.
      if (registrations.named(name)?.available !== true) return;
      const why = error instanceof Error ? error.message : String(error);
      parts.log("info", `${what} of ${name} is asked for again: ${why}`);
    };
    const reach = this.reach = new Reach({
      product,
      transport,
      place: placing(addresses),
      identity,
      uid: parts.gate("RemoteRequestHeaderUID"),
    });
    this.#pass = { reach, tellsUser: tellsUser(options), rejectRedirects: options.aggregatorRejectForwardingRedirect };
    const group = product.local("apidiscovery.k8s.io");
    this.discovery = new ExtensionDiscovery({ registrations, reach, group, random, log: log("discovery") });
    const pass = (scope: RequestScope, registration: Registration) => passOn(this.#pass, scope, registration);
    this.openApi = new ExtensionOpenApi({ registrations, reach, pass, random, log: log("OpenAPI") });
  }

  /** Follows the objects until the signal aborts. */
  start(services: Store | undefined, signal: AbortSignal): void {
    this.discovery.start(signal);
    this.openApi.start(signal);
    const { registrations } = this;
    const loaded = () => registrations.keep((name) => services!.cache.get("", name) !== undefined);
    follow(services, signal, (entry, deleted) => registrations.tell(entry, deleted), loaded);
  }

  /** Answers a request for a group version of another server; undefined for all others. */
  answer(scope: RequestScope): Promise<Response> | undefined {
    const found = this.registrations.any ? this.#of(scope) : undefined;
    return found && passOn(this.#pass, scope, found);
  }

  #of({ info }: RequestScope): Registration | undefined {
    // Who reads paths otherwise, as with parts that are empty, is not asked: they are nobody's.
    const [root, apis, group = "", version = ""] = info.path.split("/");
    return root === "" && apis === "apis" ? this.registrations.find(group, version) : undefined;
  }
}
