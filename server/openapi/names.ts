/** Names in OpenAPI documents: definitions, groups, operations, as clients generated from the public documents know them. */
import { builtInMessage } from "../../schema/messages.ts";
import type { Message } from "../../schema/model/types.ts";

/** Packages of messages that do not stand among the API groups' own. */
const PACKAGES: Readonly<Record<string, string>> = {
  "meta.v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
  "meta.v1beta1": "io.k8s.apimachinery.pkg.apis.meta.v1beta1",
  "runtime": "io.k8s.apimachinery.pkg.runtime",
  "intstr": "io.k8s.apimachinery.pkg.util.intstr",
  "quantity": "io.k8s.apimachinery.pkg.api.resource",
  "apiextensions.v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  "apiregistration.v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

/** Whether a message is of the built-in tables. */
export const isBuiltIn = (message: Message): boolean => builtInMessage(message.id) === message;

/** `io.k8s.api.core.v1.Pod`: the name of a built-in message's definition. */
export function builtInName({ id }: Message): string {
  const dot = id.lastIndexOf(".");
  const short = id.slice(0, dot);
  return `${PACKAGES[short] ?? `io.k8s.api.${short}`}.${id.slice(dot + 1)}`;
}

/** `com.example.stable.v1.CronTab`: the name of a custom kind's definition. */
export const customName = (group: string, version: string, kind: string): string =>
  [...group.split(".").reverse(), version, kind].join(".");

/** First letter large. */
export const upper = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);

/** `RbacAuthorization`: a group in an operation's name. The API's own suffix is left out. */
export function groupWord(group: string, suffix: string): string {
  if (group === "") return "Core";
  const short = group.endsWith(`.${suffix}`) ? group.slice(0, -suffix.length - 1) : group;
  return short.split(/[.-]/).map(upper).join("");
}

/** `rbacAuthorization_v1`: the tag of a group version's operations. */
export function tagOf(group: string, version: string, suffix: string): string {
  const word = groupWord(group, suffix);
  return `${word.charAt(0).toLowerCase()}${word.slice(1)}${version ? `_${version}` : ""}`;
}
