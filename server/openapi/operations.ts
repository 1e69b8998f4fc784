/** Operations of the paths of one group version, read from the catalog; either flavour of document writes them its way. */
import { builtInMessage } from "../../schema/messages.ts";
import type { Kind, Message } from "../../schema/model/types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { listKindOf } from "../catalog/kinds.ts";
import type { ServedResource, Subresource } from "../catalog/types.ts";
import { customList } from "./custom.ts";
import { groupWord, tagOf, upper } from "./names.ts";
import { inPath, optionsParameters, type Parameter, parametersOf, PRETTY, sharedByAll } from "./parameters.ts";

/** HTTP methods, as path items name them. */
export type Method = "get" | "put" | "post" | "patch" | "delete" | "options" | "head";

/** One operation of a path. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `x-kubernetes-action`; absent on what is no resource. */
  readonly action?: string;
  /** Kind that the operation is about. */
  readonly kind?: Kind;
  readonly body?: Message;
  readonly bodyRequired?: boolean;
  /** What it answers: a message, or text. */
  readonly returns: Message | "text";
  /** Media types of its answers, where they are not those of objects. */
  readonly produces?: readonly string[];
  /** Media types that it says to take, where they are not those of objects. */
  readonly consumes?: readonly string[];
  /** Codes of success. */
  readonly codes: readonly number[];
  readonly parameters: readonly Parameter[];
  /** Whether the answer can be a stream of events. */
  readonly stream?: boolean;
  /** Of a custom resource. */
  readonly custom?: boolean;
}

/** A path with its operations. Its parameters hold for all of them. */
export interface PathItem {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

const meta = (name: string): Message => builtInMessage(`meta.v1.${name}`)!;

/** What is asked of the server when documents are made. */
export interface OperationSource {
  readonly catalog: Catalog;
  /** Whether a deletion in a version answers the object itself, by public id of its resource. */
  returnsDeleted(id: string, version: string): boolean;
}

/** What the operations of one resource share. */
interface Subject {
  readonly source: OperationSource;
  readonly served: ServedResource;
  readonly kind: Kind;
  /** `CoreV1`. */
  readonly word: string;
  readonly tag: string;
  /** `NamespacedPod`, `Node`. */
  readonly noun: string;
}

const CREATED = [200, 201, 202], CHANGED = [200, 201], OK = [200], DELETED = [200, 202];

/** Paths of a group version beside those of its resources. */
export function versionPaths(source: OperationSource, group: string, version: string): PathItem[] {
  const root = rootOf(group, version);
  const suffix = source.catalog.scheme.product.groupSuffix;
  const list = discoveryPath(
    `${root}/`,
    `get${groupWord(group, suffix)}${upper(version)}APIResources`,
    tagOf(group, version, suffix),
    "APIResourceList",
  );
  // Documents tell nothing of the discovery of custom kinds.
  return source.catalog.isCustom(group, version) ? [] : [hoisted(list)];
}

/** Paths of a resource in one version. */
export function resourcePaths(source: OperationSource, served: ServedResource): PathItem[] {
  const { resource, kind, version } = served, { group } = resource;
  const suffix = source.catalog.scheme.product.groupSuffix;
  const subject: Subject = {
    source,
    served,
    kind,
    word: groupWord(group, suffix) + upper(version),
    tag: tagOf(group, version, suffix),
    noun: (resource.namespaced ? "Namespaced" : "") + kind.kind,
  };
  return pathsOf(subject, rootOf(group, version)).map(hoisted);
}

const rootOf = (group: string, version: string): string => group ? `/apis/${group}/${version}` : `/api/${version}`;

/** What all operations of a path take, the path takes. */
function hoisted(item: PathItem): PathItem {
  const { path, operations } = sharedByAll(item.parameters, item.operations.map((o) => o.parameters));
  return {
    path: item.path,
    parameters: path,
    operations: item.operations.map((o, i) => ({ ...o, parameters: operations[i]! })),
  };
}

/** Paths that tell what there is. */
export function discoveryPath(
  path: string,
  id: string,
  tag: string,
  returns: string,
): PathItem {
  return plainPath(path, { id, tag, description: "what is served below this path", returns: meta(returns) });
}

/** A path that can be read and is no resource. */
export function plainPath(
  path: string,
  told: Pick<Operation, "id" | "tag" | "description" | "returns" | "produces" | "consumes">,
): PathItem {
  return { path, parameters: [], operations: [{ method: "get", ...told, codes: OK, parameters: [] }] };
}

function pathsOf(s: Subject, root: string): PathItem[] {
  const { resource, verbs, subresources } = s.served;
  const at = (prefix: string) =>
    `${root}${prefix}${resource.namespaced ? "/namespaces/{namespace}" : ""}/${resource.name}`;
  const where = resource.namespaced ? [inPath("namespace")] : [];
  const named = [inPath("name"), ...where];
  const items: PathItem[] = [
    { path: at(""), parameters: [...where, PRETTY], operations: collectionOperations(s) },
    { path: `${at("")}/{name}`, parameters: [...named, PRETTY], operations: objectOperations(s) },
  ];
  for (const sub of subresources.values()) {
    items.push(...subresourcePaths(s, sub, `${at("")}/{name}/${sub.name}`, named));
  }
  if (resource.namespaced && verbs.includes("list")) {
    items.push({
      path: `${root}/${resource.name}`,
      parameters: [PRETTY],
      operations: [{ ...listOperation(s), id: `list${s.word}${s.kind.kind}ForAllNamespaces` }],
    });
  }
  // Paths for watches alone are of old; new kinds are watched by their lists.
  if (verbs.includes("watch") && !s.kind.custom) {
    items.push(
      watchPath(s, at("/watch"), `watch${s.word}${s.noun}List`, "watchlist", where),
      watchPath(s, `${at("/watch")}/{name}`, `watch${s.word}${s.noun}`, "watch", named),
    );
    if (resource.namespaced) {
      const id = `watch${s.word}${s.kind.kind}ListForAllNamespaces`;
      items.push(watchPath(s, `${root}/watch/${resource.name}`, id, "watchlist", []));
    }
  }
  return items.filter((i) => i.operations.length > 0);
}

function operation(s: Subject, method: Method, verb: string, action: string, more: Told): Operation {
  return {
    method,
    id: `${verb.replace("*", s.word)}${verb.includes("*") ? "" : s.word}${s.noun}`,
    tag: s.tag,
    description: `${verb.replace("*", " ")} ${s.served.resource.name}`,
    action,
    kind: s.kind,
    codes: OK,
    parameters: [],
    ...(s.served.kind.custom ? { custom: true } : {}),
    ...more,
  };
}
/** What an operation tells beside what its verb and its subject do. */
type Told = Partial<Operation> & Pick<Operation, "returns">;

function listOperation(s: Subject): Operation {
  const { scheme } = s.source.catalog;
  const list = scheme.kind(s.kind.apiVersion, listKindOf(scheme, s.kind).kind);
  const parameters = optionsParameters("ListOptions");
  const returns = list?.message ?? customList(s.kind);
  return operation(s, "get", "list", "list", { returns, parameters, stream: true });
}

function collectionOperations(s: Subject): Operation[] {
  const out: Operation[] = [];
  const { verbs } = s.served;
  const returns = s.kind.message;
  if (verbs.includes("list")) out.push(listOperation(s));
  if (verbs.includes("create")) {
    out.push(operation(s, "post", "create", "post", {
      body: returns,
      bodyRequired: true,
      returns,
      codes: CREATED,
      parameters: optionsParameters("CreateOptions"),
    }));
  }
  if (verbs.includes("deletecollection")) {
    out.push(operation(s, "delete", "delete*Collection", "deletecollection", {
      ...(s.kind.custom ? {} : { body: meta("DeleteOptions") }),
      returns: meta("Status"),
      parameters: deletionParameters(s),
    }));
  }
  return out;
}

/** What a deletion of a whole list takes; of custom kinds it is told as the list's own. */
function deletionParameters(s: Subject): Parameter[] {
  const list = optionsParameters("ListOptions");
  if (s.kind.custom) return list;
  return [...optionsParameters("DeleteOptions"), ...list.filter((p) => !UNLISTED.has(p.name))];
}
/** Of a list, what a deletion of all of it does not take. */
const UNLISTED = new Set(["watch", "allowWatchBookmarks"]);

/** Verbs on one object: of the catalog, of an operation's name, of the action; and the HTTP method. */
const VERBS: readonly (readonly [verb: string, word: string, method: Method, action: string])[] = [
  ["get", "read", "get", "get"],
  ["update", "replace", "put", "put"],
  ["delete", "delete", "delete", "delete"],
  ["patch", "patch", "patch", "patch"],
  ["create", "create", "post", "post"],
];

function objectOperations(s: Subject): Operation[] {
  return VERBS.filter(([verb]) => verb !== "create" && s.served.verbs.includes(verb)).map((
    [verb, word, method, action],
  ) => operation(s, method, word, action, bodies(s, verb, s.kind.message)));
}

/** What a verb on one object takes and answers. */
function bodies(s: Subject, verb: string, message: Message): Told {
  switch (verb) {
    case "get":
      return { returns: message, ...(s.served.kind.custom ? { parameters: optionsParameters("GetOptions") } : {}) };
    case "update":
      return {
        body: message,
        bodyRequired: true,
        returns: message,
        codes: CHANGED,
        parameters: optionsParameters("UpdateOptions"),
      };
    case "patch":
      return {
        body: meta("Patch"),
        bodyRequired: true,
        returns: message,
        codes: s.served.kind.custom ? OK : CHANGED,
        parameters: optionsParameters("PatchOptions"),
      };
    case "delete":
      return {
        body: meta("DeleteOptions"),
        returns: returnsDeleted(s) ? message : meta("Status"),
        codes: DELETED,
        parameters: optionsParameters("DeleteOptions"),
      };
    default:
      return {
        body: message,
        bodyRequired: true,
        returns: message,
        codes: CREATED,
        parameters: optionsParameters("CreateOptions"),
      };
  }
}

/** Answered as they are when they are deleted, but told of as a status. */
const TOLD_AS_STATUS = new Set(["namespaces"]);
const returnsDeleted = ({ source, served }: Subject): boolean =>
  source.returnsDeleted(served.resource.id, served.version) && !TOLD_AS_STATUS.has(served.resource.id);

/** Subresources that are connections to what runs on a node. */
const CONNECTED = /^(attach|exec|portforward|proxy)$/;
const CONNECT_METHODS: Readonly<Record<string, readonly Method[]>> = {
  proxy: ["get", "put", "post", "delete", "options", "head", "patch"],
};

function subresourcePaths(s: Subject, sub: Subresource, path: string, named: readonly Parameter[]): PathItem[] {
  if (CONNECTED.test(sub.name)) return connectPaths(s, sub, path, named);
  if (sub.name === "log") return [logPath(s, path, named)];
  // Subresources of custom kinds are told as of the kind itself.
  const about: Subject = s.kind.custom ? s : { ...s, kind: sub.kind };
  const operations = VERBS.filter(([verb]) => sub.verbs.includes(verb)).map(([verb, word, method, action]) => {
    const made = operation(about, method, word, action, bodies(s, verb, sub.kind.message));
    return { ...made, id: made.id + upper(sub.name), description: `${word} ${sub.name} of ${s.served.resource.name}` };
  });
  return [{ path, parameters: [...named, PRETTY], operations }];
}

function connectPaths(s: Subject, sub: Subresource, path: string, named: readonly Parameter[]): PathItem[] {
  const methods = CONNECT_METHODS[sub.name] ?? ["get", "post"];
  const own = parametersOf(sub.kind.message);
  const operations = (suffix: string): Operation[] =>
    methods.map((method) => ({
      method,
      id: `connect${s.word}${upper(method)}${s.noun}${upper(sub.name)}${suffix}`,
      tag: s.tag,
      description: `connect to ${sub.name} of ${s.served.resource.name}`,
      action: "connect",
      kind: sub.kind,
      returns: "text",
      codes: OK,
      parameters: [],
    }));
  const items: PathItem[] = [{ path, parameters: [...named, ...own], operations: operations("") }];
  if (sub.name === "proxy") {
    items.push({
      path: `${path}/{path}`,
      parameters: [...named, inPath("path"), ...own],
      operations: operations("WithPath"),
    });
  }
  return items;
}

function logPath(s: Subject, path: string, named: readonly Parameter[]): PathItem {
  const own = parametersOf(builtInMessage("core.v1.PodLogOptions")!);
  const made = operation(s, "get", "read", "get", { returns: "text", description: "read logs of containers" });
  return { path, parameters: [...named, ...own, PRETTY], operations: [{ ...made, id: `${made.id}Log` }] };
}

function watchPath(s: Subject, path: string, id: string, action: string, named: readonly Parameter[]): PathItem {
  const made: Operation = {
    method: "get",
    id,
    tag: s.tag,
    description: `watch ${s.served.resource.name}; the list operation with parameter watch does the same`,
    action,
    kind: s.kind,
    returns: meta("WatchEvent"),
    codes: OK,
    parameters: [],
    stream: true,
  };
  return { path, parameters: [...named, ...optionsParameters("ListOptions"), PRETTY], operations: [made] };
}
