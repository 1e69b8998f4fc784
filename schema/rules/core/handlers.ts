/** Probes of containers and what runs at their start and end. */
import { format, nonNegative, oneOf } from "../checks/basic.ts";
import { headerName, portName, portNumber } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, entryOf, isSet, items, type Tree } from "../tree.ts";
import type { PodScope } from "./pod_scope.ts";

const SCHEMES = ["HTTP", "HTTPS"], HTTP_PROTOCOLS = ["HTTP1", "HTTP2"], GRPC_MODES = ["Plaintext", "TLS"];

/** A port by number or name. */
export function portNumberOrName(port: number | string | undefined, path: Path, errors: ErrorList): void {
  if (typeof port === "string") return format(port, path, errors, portName);
  for (const f of portNumber(port ?? 0)) errors.invalid(path, port ?? 0, f);
}

type Action = (a: Tree, path: Path, scope: PodScope) => void;
const exec: Action = (a, path, { errors }) => {
  if (!count(a["command"])) errors.required(path.child("command"));
};
const httpGet: Action = (a, path, { errors }) => {
  if (!a["path"]) errors.required(path.child("path"));
  portNumberOrName(a["port"], path.child("port"), errors);
  oneOf(a["scheme"], SCHEMES, path.child("scheme"), errors);
  const protocol = a["protocol"];
  if (isSet(protocol)) {
    if (protocol === "HTTP2" && a["scheme"] !== "HTTP") {
      errors.invalid(path.child("protocol"), protocol, "is only supported with HTTP (H2C)");
    } else if (protocol === "HTTP2" && a["host"]) {
      errors.invalid(path.child("host"), a["host"], "must be empty when `protocol` is HTTP2");
    } else oneOf(protocol, HTTP_PROTOCOLS, path.child("protocol"), errors);
  }
  for (const h of items(a["httpHeaders"])) format(h["name"] ?? "", path.child("httpHeaders"), errors, headerName);
};
const portOnly: Action = (a, path, { errors }) => portNumberOrName(a["port"], path.child("port"), errors);
const grpc: Action = (a, path, scope) => {
  portOnly(a, path, scope);
  if (isSet(a["mode"])) oneOf(a["mode"], GRPC_MODES, path.child("mode"), scope.errors);
};
const sleep: Action = (a, path, { errors, spec }) => {
  const grace = spec["terminationGracePeriodSeconds"], seconds = a["seconds"] ?? 0;
  if (isSet(grace) && (seconds < 0 || seconds > grace)) {
    errors.invalid(path, seconds, `must be between 0 and terminationGracePeriodSeconds (${grace})`);
  }
};

const PROBE_ACTIONS: readonly (readonly [string, Action])[] = [
  ["exec", exec],
  ["httpGet", httpGet],
  ["tcpSocket", portOnly],
  ["grpc", grpc],
];
const HOOK_ACTIONS: typeof PROBE_ACTIONS = [["exec", exec], ["httpGet", httpGet], ["tcpSocket", portOnly], [
  "sleep",
  sleep,
]];

function oneAction(actions: typeof PROBE_ACTIONS, h: Tree, path: Path, scope: PodScope): void {
  let found = 0;
  for (const [member, check] of actions) {
    if (!h[member]) continue;
    if (found++) scope.errors.forbidden(path.child(member), "must not specify more than 1 handler type");
    else check(h[member], path.child(member), scope);
  }
  if (!found) scope.errors.required(path, "must specify a handler type");
}

const COUNTS = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

function probe(p: Tree, path: Path, scope: PodScope): void {
  oneAction(PROBE_ACTIONS, p, path, scope);
  for (const c of COUNTS) if (p[c] < 0) nonNegative(p[c], path.child(c), scope.errors);
  const grace = p["terminationGracePeriodSeconds"];
  if (isSet(grace) && grace <= 0) {
    scope.errors.invalid(path.child("terminationGracePeriodSeconds"), grace, "must be greater than 0");
  }
}

/** The three probes of a container. */
export function probes(c: Tree, path: Path, scope: PodScope): void {
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (!c[name]) continue;
    const at = path.child(name);
    probe(c[name], at, scope);
    if (name !== "readinessProbe") {
      if (c[name].successThreshold === 1) continue;
      scope.errors.invalid(at.child("successThreshold"), c[name].successThreshold ?? 0, "must be 1");
    } else if (isSet(c[name].terminationGracePeriodSeconds)) {
      const why = "must not be set for readiness probes";
      scope.errors.invalid(at.child("terminationGracePeriodSeconds"), c[name].terminationGracePeriodSeconds, why);
    }
  }
}

const signals = (names: string) => names.split(" ").map((n) => `SIG${n}`);
const REAL_TIME = [
  ...Array.from({ length: 15 }, (_, i) => `SIGRTMIN+${i + 1}`),
  ...Array.from({ length: 14 }, (_, i) => `SIGRTMAX-${i + 1}`),
];
const SIGNALS: Readonly<Record<string, readonly string[]>> = {
  windows: signals("KILL TERM"),
  linux: [
    ...signals(
      "ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP " +
        "TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX",
    ),
    ...REAL_TIME,
  ].sort(),
};

/** Hooks of a container, and the signal that stops it. */
export function lifecycle(l: Tree, path: Path, scope: PodScope): void {
  for (const hook of ["postStart", "preStop"]) if (l[hook]) oneAction(HOOK_ACTIONS, l[hook], path.child(hook), scope);
  if (!isSet(l["stopSignal"])) return;
  const at = path.child("stopSignal"), os = scope.spec["os"];
  if (!os) return scope.errors.forbidden(at, "must not be set for containers with empty `spec.os.name`");
  const known = entryOf(SIGNALS, os.name ?? "");
  if (known) oneOf(l["stopSignal"], known, at, scope.errors);
}
