/** Services of the cluster as containers are told of them by their environment. */
import type { Service, ServicePort } from "../../schema/api/core_v1.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { Api, EnvVariable } from "../types.ts";

/** Most services that are held; later ones are not told of. */
const MOST_SERVICES = 50_000;

/** What of a service is told. */
interface Told {
  readonly namespace: string;
  readonly name: string;
  readonly ip: string;
  readonly ports: readonly Pick<ServicePort, "name" | "port" | "protocol">[];
}

/** Services that have an address, followed until the signal ends it. */
export class Services {
  readonly #services = new Map<string, Told>();
  #known = false;

  constructor(api: Api, signal: AbortSignal) {
    const to = {
      replace: (services: readonly Service[]) => {
        this.#services.clear();
        for (const s of services) this.#set(s);
        this.#known = true;
      },
      changed: (type: string, service: Service) => {
        if (type === "DELETED") this.#services.delete(keyOf(service));
        else this.#set(service);
      },
    };
    api.follow<Service>("/api/v1/services", {}, to, signal).catch(() => {});
  }

  /** The server has said what there is. */
  get known(): boolean {
    return this.#known;
  }

  /**
   * Variables of the services of a namespace, by name of the service, and those of the API's own.
   * @param own name of that service in namespace `default` @param links false: only that one
   */
  variables(namespace: string, own: string, links: boolean): readonly EnvVariable[] {
    const chosen = new Map<string, Told>();
    const api = this.#services.get(`default/${own}`);
    if (api) chosen.set(own, api);
    if (links) { for (const s of this.#services.values()) if (s.namespace === namespace) chosen.set(s.name, s); }
    return [...chosen.keys()].sort().flatMap((name) => variablesOf(chosen.get(name)!));
  }

  #set(service: Service): void {
    const key = keyOf(service);
    const { clusterIP, ports } = service.spec ?? {};
    this.#services.delete(key);
    if (!clusterIP || clusterIP === "None" || !ports?.length || this.#services.size >= MOST_SERVICES) return;
    this.#services.set(key, {
      namespace: service.metadata?.namespace ?? "",
      name: service.metadata?.name ?? "",
      ip: clusterIP,
      ports: ports.map(({ name, port, protocol }) => ({
        ...(name ? { name } : {}),
        ...(protocol ? { protocol } : {}),
        port,
      })),
    });
  }
}

const keyOf = ({ metadata }: Service) => `${metadata?.namespace}/${metadata?.name}`;
const variableName = (name: string) => name.toUpperCase().replaceAll("-", "_");

function variablesOf({ name, ip, ports }: Told): EnvVariable[] {
  const prefix = variableName(name);
  const named = ports.flatMap((p) =>
    p.name ? [[`${prefix}_SERVICE_PORT_${variableName(p.name)}`, `${p.port}`] as const] : []
  );
  const links = ports.flatMap(({ port, protocol = "TCP" }, i) => {
    const lower = protocol.toLowerCase(), url = `${lower}://${hostPort(ip, port)}`;
    const link = `${prefix}_PORT_${port}_${protocol}`;
    return [
      ...(i === 0 ? [[`${prefix}_PORT`, url] as const] : []),
      [link, url] as const,
      [`${link}_PROTO`, lower] as const,
      [`${link}_PORT`, `${port}`] as const,
      [`${link}_ADDR`, ip] as const,
    ];
  });
  return [
    [`${prefix}_SERVICE_HOST`, ip] as const,
    [`${prefix}_SERVICE_PORT`, `${ports[0]!.port}`] as const,
    ...named,
    ...links,
  ]
    .map(([key, value]) => ({ key, value }));
}
