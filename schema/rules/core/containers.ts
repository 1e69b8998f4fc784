/** Containers of pods: ordinary, init and ephemeral. */
import { emptiedIn } from "../../codec/emptied.ts";
import { format, oneOf, requiredFormat, requiredOneOf } from "../checks/basic.ts";
import { dnsLabel, portName, portNumber } from "../checks/formats.ts";
import { containerResourceName, requirements } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, emptyMap, isSet, items, type Tree } from "../tree.ts";
import { variables, variableSources } from "./env.ts";
import { lifecycle, probes } from "./handlers.ts";
import { volumeDevices, volumeMounts } from "./mounts.ts";
import { isSidecar, type PodScope, restartsOnResize } from "./pod_scope.ts";
import { pullPolicy } from "./pull_policy.ts";
import { containerSecurity } from "./security.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const MESSAGE_POLICIES = ["FallbackToLogsOnError", "File"];
const RESIZE_RESOURCES = ["cpu", "memory"], RESIZE_POLICIES = ["NotRequired", "RestartContainer"];

/** What holds of every container. */
function container(c: Tree, path: Path, scope: PodScope): void {
  const { errors, ctx } = scope;
  requiredFormat(c["name"], path.child("name"), errors, dnsLabel);
  if (!c["image"]) errors.required(path.child("image"));
  requiredOneOf(c["terminationMessagePolicy"] ?? "", MESSAGE_POLICIES, path.child("terminationMessagePolicy"), errors);
  if (c["ports"]) ports(c["ports"], path.child("ports"), errors);
  if (c["env"]) variables(c["env"], path.child("env"), errors);
  if (c["envFrom"]) variableSources(c["envFrom"], path.child("envFrom"), errors);
  if (c["volumeMounts"]) volumeMounts(c, path.child("volumeMounts"), scope);
  if (c["volumeDevices"]) volumeDevices(c, path.child("volumeDevices"), scope);
  pullPolicy(c["imagePullPolicy"], path.child("imagePullPolicy"), errors);
  requirements(c["resources"], path.child("resources"), errors, {
    ctx,
    name: containerResourceName,
    claims: scope.claims,
    allowIndivisibleHugePages: scope.forgiven.indivisibleHugePages,
  });
  if (c["resizePolicy"]) resizePolicies(c["resizePolicy"], path.child("resizePolicy"), scope);
  if (c["securityContext"]) containerSecurity(c["securityContext"], path.child("securityContext"), scope);
}

function ports(list: readonly Tree[], path: Path, errors: ErrorList): void {
  const names = new Set<string>();
  for (let i = 0; i < list.length; i++) {
    const p = list[i]!, at = path.index(i);
    if (p["name"]) {
      if (portName(p["name"]).length) format(p["name"], at.child("name"), errors, portName);
      else if (names.has(p["name"])) errors.duplicate(at.child("name"), p["name"]);
      else names.add(p["name"]);
    }
    if (!p["containerPort"]) errors.required(at.child("containerPort"));
    else {for (const f of portNumber(p["containerPort"])) {
        errors.invalid(at.child("containerPort"), p["containerPort"], f);
      }}
    if (p["hostPort"]) {
      for (const f of portNumber(p["hostPort"])) errors.invalid(at.child("hostPort"), p["hostPort"], f);
    }
    requiredOneOf(p["protocol"] ?? "", PROTOCOLS, at.child("protocol"), errors);
  }
}

function resizePolicies(list: readonly Tree[], path: Path, { errors, spec }: PodScope): void {
  const seen = new Set<string>();
  for (const [i, p] of list.entries()) {
    if (seen.has(p["resourceName"])) errors.duplicate(path.index(i), p["resourceName"]);
    seen.add(p["resourceName"]);
    requiredOneOf(p["resourceName"] ?? "", RESIZE_RESOURCES, path, errors);
    requiredOneOf(p["restartPolicy"] ?? "", RESIZE_POLICIES, path, errors);
    if (spec["restartPolicy"] === "Never" && p["restartPolicy"] !== "NotRequired") {
      errors.invalid(path, p["restartPolicy"] ?? "", "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

/** Two containers cannot have one port of the host. */
function hostPorts(list: readonly Tree[], path: Path, errors: ErrorList): void {
  let seen: Set<string> | undefined;
  for (let i = 0; i < list.length; i++) {
    const own = items(list[i]!["ports"]);
    for (let j = 0; j < own.length; j++) {
      const p = own[j]!;
      if (!p["hostPort"]) continue;
      const key = `${p["protocol"]}/${p["hostIP"] ?? ""}/${p["hostPort"]}`;
      seen ??= new Set();
      if (seen.has(key)) errors.duplicate(path.index(i).child("ports").index(j).child("hostPort"), key);
      else seen.add(key);
    }
  }
}

/** `spec.containers`. */
export function containers(scope: PodScope, path: Path): void {
  const list = items(scope.spec["containers"]), { errors } = scope;
  if (!list.length) return errors.required(path);
  const names = new Set<string>();
  for (let i = 0; i < list.length; i++) {
    const c = list[i]!, at = path.index(i);
    container(c, at, scope);
    if (names.has(c["name"])) errors.duplicate(at.child("name"), c["name"]);
    else names.add(c["name"]);
    if (c["lifecycle"]) lifecycle(c["lifecycle"], at.child("lifecycle"), scope);
    probes(c, at, scope);
    if (rulesAllowed(scope)) restartPolicy(c, at, scope);
    else if (isSet(c["restartPolicy"])) {
      errors.forbidden(at.child("restartPolicy"), "must not be set for containers that are not init containers");
    }
  }
  hostPorts(list, path, errors);
}

const rulesAllowed = ({ ctx, forgiven }: PodScope): boolean =>
  forgiven.restartRules || ctx.gate("ContainerRestartRules");
const allMayRestart = ({ ctx, forgiven }: PodScope): boolean =>
  forgiven.restartAll || ctx.gate("RestartAllContainersOnContainerExits");

const RESTART = ["Always", "Never", "OnFailure"];
const EXIT_OPERATORS = ["In", "NotIn"];
const MAX_RULES = 20, MAX_EXIT_CODES = 255;

function restartPolicy(c: Tree, path: Path, scope: PodScope): void {
  const policy = c["restartPolicy"], rules = items(c["restartPolicyRules"]), { errors } = scope;
  if (!isSet(policy)) {
    if (!rules.length) return;
    errors.required(path.child("restartPolicy"), "must be specified when restart rules are used");
  } else oneOf(policy, RESTART, path.child("restartPolicy"), errors);
  const at = path.child("restartPolicyRules");
  if (rules.length > MAX_RULES) errors.tooMany(at, rules.length, MAX_RULES);
  const actions = allMayRestart(scope) ? ["Restart", "RestartAllContainers"] : ["Restart"];
  for (const [i, r] of rules.entries()) {
    oneOf(r["action"], actions, at.index(i).child("action"), errors);
    const codes = r["exitCodes"], place = at.index(i).child("exitCodes");
    if (!codes) errors.required(place, "must be specified");
    else {
      oneOf(codes.operator, EXIT_OPERATORS, place.child("operator"), errors);
      const given = count(codes.values);
      if (given > MAX_EXIT_CODES) errors.tooMany(place.child("values"), given, MAX_EXIT_CODES);
    }
  }
}

/** `spec.initContainers`. Those that restart always run beside the others and may have probes and hooks. */
export function initContainers(scope: PodScope, path: Path): void {
  const list = items(scope.spec["initContainers"]), { errors } = scope;
  if (!list.length) return;
  const names = new Set(items(scope.spec["containers"]).map((c) => c["name"]));
  for (const [i, c] of list.entries()) {
    const at = path.index(i);
    container(c, at, scope);
    initRestartPolicy(c, at, scope);
    if (names.has(c["name"])) errors.duplicate(at.child("name"), c["name"]);
    else if (c["name"]) names.add(c["name"]);
    hostPorts([c], path, errors);
    if (isSidecar(c)) {
      if (c["lifecycle"]) lifecycle(c["lifecycle"], at.child("lifecycle"), scope);
      probes(c, at, scope);
    } else {
      for (const m of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]) {
        if (c[m]) errors.forbidden(at.child(m), "must not be set for init containers without restartPolicy=Always");
      }
      if (!scope.forgiven.resizeRestarts) resizeRestarts(c, at.child("resizePolicy"), errors);
    }
  }
}

function resizeRestarts(c: Tree, path: Path, errors: ErrorList): void {
  for (const [i, p] of items(c["resizePolicy"]).entries()) {
    if (!restartsOnResize(p)) continue;
    errors.invalid(path.index(i).child("restartPolicy"), p["restartPolicy"], "must not be set for what ends by itself");
  }
}

function initRestartPolicy(c: Tree, path: Path, scope: PodScope): void {
  const policy = c["restartPolicy"], rules = count(c["restartPolicyRules"]), { errors } = scope;
  if (!isSet(policy)) {
    if (rules) errors.required(path.child("restartPolicy"), "must be specified when restart rules are used");
  } else if (!rulesAllowed(scope)) {
    if (!isSidecar(c)) errors.notSupported(path.child("restartPolicy"), policy, ["Always"]);
  } else if (!isSidecar(c) || allMayRestart(scope)) restartPolicy(c, path, scope);
  else if (rules) {
    errors.forbidden(
      path.child("restartPolicyRules"),
      "must not be set for init containers with restart policy Always",
    );
  }
}

/** In the order of the kind's fields, in which the causes stand. */
const NOT_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

/** `spec.ephemeralContainers`. */
export function ephemeralContainers(scope: PodScope, path: Path): void {
  const list = items(scope.spec["ephemeralContainers"]), { errors } = scope;
  if (!list.length) return;
  const others = new Set(
    [...items(scope.spec["containers"]), ...items(scope.spec["initContainers"])].map((c) => c["name"]),
  );
  const names = new Set(others);
  for (const [i, c] of list.entries()) {
    const at = path.index(i);
    container(c, at, scope);
    imagePadding(c, at, errors);
    if (names.has(c["name"])) errors.duplicate(at.child("name"), c["name"]);
    else names.add(c["name"]);
    if (c["targetContainerName"] && !others.has(c["targetContainerName"])) {
      errors.notFound(at.child("targetContainerName"), c["targetContainerName"]);
    }
    const emptied = emptiedIn(c);
    for (const m of NOT_EPHEMERAL) {
      if (emptied.includes(m)) errors.forbidden(at.child(m), "cannot be set for an ephemeral container");
      else if (isSet(c[m]) && !(m === "resources" && emptyMap(c[m]))) {
        errors.forbidden(at.child(m), "cannot be set for an ephemeral container");
      }
    }
    for (const [j, m] of items(c["volumeMounts"]).entries()) {
      for (const sub of ["subPath", "subPathExpr"]) {
        if (m[sub]) {
          errors.forbidden(at.child("volumeMounts").index(j).child(sub), "cannot be set for an ephemeral container");
        }
      }
    }
  }
}

/** Pods, unlike templates, may not have space around an image's name. */
export function imagePadding(c: Tree, path: Path, errors: ErrorList): void {
  const image: string = c["image"] ?? "";
  if (image.trim() !== image) {
    errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
  }
}
