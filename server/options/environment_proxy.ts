/**
 * The proxy that the environment names for HTTPS, as other programs of a host take it: `HTTPS_PROXY`, but for what `NO_PROXY`
 * lists, in large or small letters. Issuers, webhooks of connection files and webhooks of admission that have a URL go by it
 * where `--egress-selector-config-file` selects nothing else.
 */
import { type Cidr, contains, inRange, type Ip, tryParseCidr, tryParseIp } from "../../schema/values/ip.ts";
import type { Dial } from "../grpc/reach.ts";
import type { ProxyPlace } from "./egress_config.ts";

/** A dialler of some hosts; undefined for the others: they are reached directly. */
export type SomeDial = (host: string, port: number) => ReturnType<Dial> | undefined;

/** Undefined where the environment names no proxy. It throws an Error for one that is none. */
export function environmentDial(variable: (name: string) => string | undefined): SomeDial | undefined {
  const either = (name: string) => variable(name) || variable(name.toLowerCase()) || "";
  const named = either("HTTPS_PROXY");
  if (named === "") return undefined;
  const { place, credentials } = proxyOf(named), spared = sparedBy(either("NO_PROXY"));
  let open: Promise<Dial> | undefined;
  return (host, port) => {
    if (spared(host.toLowerCase(), port)) return undefined;
    open ??= import("./egress_dial.ts").then(({ dialThrough }) => dialThrough(place, credentials));
    return open.then((dial) => dial(host, port));
  };
}

interface Proxy {
  readonly place: ProxyPlace;
  /** Of `Proxy-Authorization`; empty for none. */
  readonly credentials: string;
}

function proxyOf(named: string): Proxy {
  const text = named.includes("://") ? named : `http://${named}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("HTTPS_PROXY: should be the URL of a proxy, http:// or https://");
  }
  const secure = url.protocol === "https:", host = url.hostname.replace(/^\[|\]$/g, "");
  const tls = secure ? { ca: "", cert: "", key: "", name: "" } : undefined;
  const name = decoded(url.username), password = decoded(url.password);
  return {
    place: { host, port: Number(url.port) || (secure ? 443 : 80), tls },
    credentials: name + password === "" ? "" : `Basic ${new TextEncoder().encode(`${name}:${password}`).toBase64()}`,
  };
}

/** Percent-decoded; what is no encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Spared = (host: string, port: number) => boolean;

/** Whether a host is reached directly: itself or its domain is listed, or it is this machine. */
function sparedBy(list: string): Spared {
  const rules = list.split(",").map((part) => part.trim().toLowerCase()).filter((part) => part !== "").map(ruleOf);
  return (host, port) => {
    const ip = tryParseIp(host);
    if (ip ? inRange(ip, "loopback") : host === "localhost") return true;
    return rules.some((rule) => rule(host, port, ip));
  };
}

type Rule = (host: string, port: number, ip: Ip | undefined) => boolean;

/** `*`, a range, an address or a name; with a port or without. `.a.b` and `*.a.b` are the names below one, `a.b` is it too. */
function ruleOf(part: string): Rule {
  if (part === "*") return () => true;
  const range: Cidr | undefined = tryParseCidr(part);
  if (range) return (_host, _port, ip) => ip !== undefined && contains(range, ip);
  const [, bare = part, wanted] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(part) ?? [];
  const fits = (port: number) => wanted === undefined || Number(wanted) === port;
  const name = bare.replace(/^\[|\]$/g, ""), address = tryParseIp(name);
  if (address) return (_host, port, ip) => ip?.family === address.family && ip.bits === address.bits && fits(port);
  const below = name.replace(/^\*?\.?/, "."), itself = below.slice(1) === name ? name : undefined;
  return (host, port) => (host.endsWith(below) || host === itself) && fits(port);
}
