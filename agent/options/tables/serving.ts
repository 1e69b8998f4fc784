/** What the agent serves: addresses and TLS (specification, "Node agent options", "Authentication"). */
import { type AgentRow, PORT, PORT_OR_OFF } from "../types.ts";

/** Rows of the group "Serving". */
export const SERVING = [
  {
    name: "address",
    type: "ip",
    default: "0.0.0.0",
    field: "address",
    help: "Address to serve on; 0.0.0.0 or :: for all interfaces",
  },
  { name: "port", type: "int", default: "10250", rule: PORT, field: "port", help: "Port to serve HTTPS on" },
  {
    name: "read-only-port",
    type: "int",
    default: "10255",
    fileDefault: "0",
    rule: PORT_OR_OFF,
    field: "readOnlyPort",
    help: "Port to serve HTTP on without authentication and authorization; 0 for none",
  },
  {
    name: "healthz-bind-address",
    type: "ip",
    default: "127.0.0.1",
    field: "healthzBindAddress",
    help: "Address of /healthz",
  },
  {
    name: "healthz-port",
    type: "int",
    default: "10248",
    rule: PORT_OR_OFF,
    field: "healthzPort",
    help: "Port of /healthz; 0 for none",
  },
  {
    name: "enable-server",
    type: "bool",
    default: "true",
    field: "enableServer",
    help: "Serve on --port; --read-only-port and --healthz-port are servers of their own",
  },
  {
    name: "enable-debugging-handlers",
    type: "bool",
    default: "true",
    field: "enableDebuggingHandlers",
    help: "Serve logs of containers, and commands that run in them",
  },
  {
    name: "contention-profiling",
    type: "bool",
    field: "enableContentionProfiling",
    help: "Profile blocking when profiling is on",
    accepted:
      "JavaScript runs in one thread and takes no locks, so nothing contends; the runtime counts no blocking either",
  },
  {
    name: "streaming-connection-idle-timeout",
    type: "duration",
    default: "4h0m0s",
    field: "streamingConnectionIdleTimeout",
    help: "How long a stream may lie idle before it is closed; 0: as long as any request lasts, 4 hours",
  },
  {
    name: "tls-cert-file",
    type: "path",
    field: "tlsCertFile",
    help: "PEM file of the serving certificate, followed by its chain; without it one is made that signs itself",
  },
  {
    name: "tls-private-key-file",
    type: "path",
    field: "tlsPrivateKeyFile",
    help: "PEM file of the serving certificate's key",
  },
  {
    name: "tls-cipher-suites",
    type: "strings",
    field: "tlsCipherSuites",
    help: "Cipher suites allowed, by IANA name; default the runtime's",
  },
  {
    name: "tls-min-version",
    type: "string",
    rule: { oneOf: ["", "VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] },
    field: "tlsMinVersion",
    help: "Oldest TLS version to speak; default that of the runtime",
  },
  {
    name: "rotate-certificates",
    type: "bool",
    field: "rotateCertificates",
    help: "Ask for a new client certificate when the old one comes to its end",
  },
  {
    name: "rotate-server-certificates",
    type: "bool",
    field: "serverTLSBootstrap",
    help: "Ask for serving certificates and renew them; needs the gate RotateKubeletServerCertificate and approval",
  },
] as const satisfies readonly AgentRow[];
