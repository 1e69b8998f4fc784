/** Serving: addresses, TLS, HTTP (specification, "API server serving options"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Serving". */
export const SERVING = [
  {
    name: "bind-address",
    type: "ip",
    default: "0.0.0.0",
    help: "Address to listen on; unspecified means all interfaces",
  },
  {
    name: "secure-port",
    type: "int",
    default: "6443",
    rule: { min: 1, max: 65535 },
    help: "Port of HTTPS with authentication and authorization",
  },
  {
    name: "advertise-address",
    type: "ip",
    help:
      "Address told to the members of the cluster; default the bind address, then that of an interface, of the family of the services",
  },
  { name: "external-hostname", type: "string", help: "Host name in URLs that the server makes of itself" },
  {
    name: "cert-dir",
    type: "path",
    default: "/var/run/orch",
    help: "Directory of the serving pair when no pair is named; made there if missing. Not given: the data directory",
  },
  { name: "tls-cert-file", type: "path", help: "PEM file of the serving certificate, followed by its chain" },
  { name: "tls-private-key-file", type: "path", help: "PEM file of the serving certificate's key" },
  {
    name: "tls-sni-cert-key",
    type: "certKeys",
    help:
      "Further serving pair, as cert,key or cert,key:domain,…; repeatable. A domain may be *.suffix, or an address of this " +
      "host, for clients that name none; without, the names of the certificate",
  },
  {
    name: "tls-min-version",
    type: "string",
    rule: { oneOf: ["", "VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] },
    help: "Oldest TLS version to speak; default that of the runtime",
  },
  { name: "tls-cipher-suites", type: "strings", help: "Cipher suites allowed, by IANA name; default the runtime's" },
  {
    name: "tls-curve-preferences",
    type: "ints",
    rule: { min: 1, max: 65535 },
    help:
      "Numbers of key exchange groups (23 P-256, 24 P-384, 29 X25519): who offers none of them is refused; who offers others too " +
      "may get one of these",
  },
  { name: "disable-http2-serving", type: "bool", help: "Speak HTTP/1.1 only" },
  {
    name: "http2-max-streams-per-connection",
    type: "int",
    rule: { min: 0 },
    help: "Concurrent HTTP/2 streams of one connection; 0 leaves it to the runtime",
  },
  {
    name: "goaway-chance",
    type: "float",
    rule: { min: 0, max: 0.02 },
    help: "Part of HTTP/2 requests answered with GOAWAY, so that clients spread over servers; 0 is off",
  },
  {
    name: "permit-address-sharing",
    type: "bool",
    help: "Listen with SO_REUSEADDR",
    accepted: "Always so: the runtime sets SO_REUSEADDR on every socket that listens, as the public server's does",
  },
  {
    name: "permit-port-sharing",
    type: "bool",
    help: "Listen with SO_REUSEPORT, so that several processes share a port",
  },
  {
    name: "strict-transport-security-directives",
    type: "strings",
    help: "Directives of the Strict-Transport-Security header; no header when empty",
  },
  {
    name: "cors-allowed-origins",
    type: "strings",
    help: "Regular expressions of origins that browsers may call from; CORS is off when empty",
  },
  {
    name: "debug-socket-path",
    type: "path",
    help: "Local socket that serves /debug/pprof/ and /debug/flags/ without authentication, whatever --profiling says",
  },
  {
    name: "profiling",
    type: "bool",
    default: "true",
    help:
      "Serve /debug/pprof/ (bytes of the process and profiles of time; others are left to the runtime's inspector) and /debug/flags/",
  },
  {
    name: "contention-profiling",
    type: "bool",
    help: "Profile blocking when profiling is on",
    accepted:
      "JavaScript runs in one thread and takes no locks, so nothing contends; the runtime counts no blocking either",
  },
] as const satisfies readonly OptionRow[];
