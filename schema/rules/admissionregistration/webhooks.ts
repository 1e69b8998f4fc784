/** Rules of configurations of webhooks. What was wrong in the stored configuration is forgiven in the new one. */
import type { Obj } from "../../model/types.ts";
import { dns1035Label, dnsSubdomain, portNumber } from "../checks/formats.ts";
import { format } from "../checks/basic.ts";
import { labelSelector } from "../checks/selectors.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, same, type Tree } from "../tree.ts";
import { perProduct } from "../local.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { webhookUrlMistakes } from "../../values/uri.ts";
import { FAILURE_POLICIES, knownValue, MATCH_POLICIES, matchConditions, REINVOCATION_POLICIES } from "./match.ts";
import { operationRule } from "./rules.ts";

const WEBHOOKS = Path.of("webhooks");
const QUIET = ["None", "NoneOnDryRun"], SIDE_EFFECTS = [...QUIET, "Some", "Unknown"];
const REVIEW_VERSIONS = ["v1", "v1beta1"], MAX_TIMEOUT = 30;

/** What a webhook is forgiven. */
interface Forgiven {
  readonly sideEffects: boolean;
  readonly versions: boolean;
  readonly names: boolean;
  readonly selectors: boolean;
  readonly conditions: boolean;
}
const STRICT: Forgiven = { sideEffects: false, versions: false, names: false, selectors: false, conditions: false };

function hasBadSelector(hook: Tree): boolean {
  const found = new ErrorList();
  for (const s of ["namespaceSelector", "objectSelector"]) labelSelector(hook[s], WEBHOOKS, found);
  return !found.empty;
}

function forgiven(hooks: readonly Tree[], old: readonly Tree[]): Forgiven {
  const names = old.map((h) => h["name"] ?? "");
  return {
    sideEffects: !old.every((h) => QUIET.includes(h["sideEffects"])),
    versions: old.some((h) => {
      const versions = items<string>(h["admissionReviewVersions"]);
      return versions.length > 0 && !versions.some((v) => REVIEW_VERSIONS.includes(v));
    }),
    names: new Set(names).size < names.length,
    selectors: old.some(hasBadSelector),
    conditions: hooks.length === old.length &&
      hooks.every((h, i) => same(h["matchConditions"], old[i]!["matchConditions"])),
  };
}

/** A name of at least three labels. */
function hookName(name: string, path: Path, errors: ErrorList): void {
  if (!name) return errors.required(path);
  const faults = dnsSubdomain(name);
  if (faults.length) errors.invalid(path, name, faults.join(", "));
  else if (name.split(".").length < 3) {
    errors.invalid(path, name, "must have at least three segments separated by dots");
  }
}

function servicePath(text: string, path: Path, errors: ErrorList): void {
  if (text === "" || text === "/") return;
  const fail = (why: string) => errors.invalid(path, text, why);
  if (text === "//") return fail("segment 0 must not be empty");
  if (!text.startsWith("/")) fail("must start with '/'");
  const inner = text.endsWith("/") && text.length > 1 ? text.slice(1, -1) : text.slice(1);
  for (const [i, step] of inner.split("/").entries()) {
    if (!step) fail(`segment ${i} must not be empty`);
    else for (const f of dnsSubdomain(step)) fail(`segment ${i}: ${f}`);
  }
}

/** How a service is reached. Clients know each missing member by the other's name: it has always been so. */
const SERVICE_MEMBERS = [["name", "namespace"], ["namespace", "name"]] as const;

/** Where a webhook is: at a URL, or behind a service. */
export function clientConfig(c: Tree, path: Path, errors: ErrorList): void {
  const { url, service } = c;
  if (isSet(url) === isSet(service)) return errors.required(path, "must have exactly one of url and service");
  if (isSet(url)) {
    for (const { value, detail } of webhookUrlMistakes(url)) {
      if (value === undefined) errors.required(path.child("url"), detail);
      else errors.invalid(path.child("url"), value, detail);
    }
    return;
  }
  const at = path.child("service");
  for (const [member, shown] of SERVICE_MEMBERS) if (!service[member]) errors.required(at.child(shown));
  for (const f of portNumber(service.port ?? 0)) errors.invalid(at.child("port"), service.port ?? 0, f);
  servicePath(service.path ?? "", at.child("path"), errors);
}

function reviewVersions(list: readonly string[], path: Path, errors: ErrorList, f: Forgiven): void {
  if (!list.length) return errors.required(path, `must have one of ${REVIEW_VERSIONS.join(", ")}`);
  const again = repeats(list);
  for (const [i, v] of list.entries()) {
    if (again.has(i)) errors.invalid(path.index(i), v, "must not be there twice");
    else format(v, path.index(i), errors, dns1035Label);
  }
  if (!f.versions && !list.some((v) => REVIEW_VERSIONS.includes(v))) {
    errors.invalid(path, list, `must have one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

function webhook(h: Tree, path: Path, errors: ErrorList, f: Forgiven): void {
  hookName(h["name"] ?? "", path.child("name"), errors);
  const rules = items(h["rules"]), seconds = h["timeoutSeconds"];
  for (let i = 0; i < rules.length; i++) operationRule(rules[i]!, path.child("rules").index(i), errors);
  knownValue(h["failurePolicy"], FAILURE_POLICIES, path.child("failurePolicy"), errors);
  knownValue(h["matchPolicy"], MATCH_POLICIES, path.child("matchPolicy"), errors);
  if (!isSet(h["sideEffects"])) errors.required(path.child("sideEffects"), `must be one of ${QUIET.join(", ")}`);
  else knownValue(h["sideEffects"], f.sideEffects ? SIDE_EFFECTS : QUIET, path.child("sideEffects"), errors);
  if (isSet(seconds) && (seconds < 1 || seconds > MAX_TIMEOUT)) {
    errors.invalid(path.child("timeoutSeconds"), seconds, `must be between 1 and ${MAX_TIMEOUT}`);
  }
  for (const s of ["namespaceSelector", "objectSelector"]) {
    labelSelector(h[s], path.child(s), errors, { allowInvalidValues: f.selectors });
  }
  knownValue(h["reinvocationPolicy"], REINVOCATION_POLICIES, path.child("reinvocationPolicy"), errors);
  clientConfig(h["clientConfig"] ?? {}, path.child("clientConfig"), errors);
  if (!f.conditions) matchConditions(h["matchConditions"], path.child("matchConditions"), errors);
  reviewVersions(items<string>(h["admissionReviewVersions"]), path.child("admissionReviewVersions"), errors, f);
}

/** Answers to questions that are never stored, by their groups: no webhook is asked of them. */
const NEVER_ASKED = perProduct((p): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([
    [p.local("authentication.k8s.io"), new Set(["tokenreviews", "selfsubjectreviews"])],
    [
      p.local("authorization.k8s.io"),
      new Set([
        "localsubjectaccessreviews",
        "selfsubjectaccessreviews",
        "selfsubjectrulesreviews",
        "subjectaccessreviews",
      ]),
    ],
  ])
);

/** Rules that name by group and resource what they are never asked of. */
function idleRules(obj: Obj, ctx: RuleContext): string[] {
  if (!ctx.gate("ExcludeAdmissionWebhookVirtualResources")) return [];
  const never = NEVER_ASKED(ctx.product);
  return items<Tree>(obj["webhooks"]).flatMap((h, i) =>
    items<Tree>(h["rules"]).flatMap((r, j) => {
      const groups = new Set(items<string>(r["apiGroups"])), resources = new Set(items<string>(r["resources"]));
      if (groups.has("*") || resources.has("*")) return [];
      const at = WEBHOOKS.index(i).child("rules").index(j);
      return [...groups].flatMap((g) =>
        never.has(g) ? [...resources].filter((name) => never.get(g)!.has(name)).map((name) => `${name}.${g}`) : []
      ).map((id) => `${at}: ${id} is excluded from admission webhooks; this rule will have no effect`);
    })
  );
}

/** Rules of both kinds of configuration. */
export const WEBHOOK_CONFIGURATION: KindRules = {
  generation: ["webhooks"],
  generationOfEmpty: true,
  unconditionalUpdate: false,
  meta: { compared: 0, knownFinalizersOnly: false },
  warnings: (obj, _old, ctx) => idleRules(obj, ctx),
  validate(obj: Obj, errors, _ctx, old) {
    const hooks = items(obj["webhooks"]), f = old ? forgiven(hooks, items(old["webhooks"])) : STRICT;
    const seen = new Set<string>();
    for (const [i, h] of hooks.entries()) {
      const name: string = h["name"] ?? "";
      webhook(h, WEBHOOKS.index(i), errors, f);
      if (name && !f.names && seen.has(name)) errors.duplicate(WEBHOOKS.index(i).child("name"), name);
      seen.add(name);
    }
  },
};
