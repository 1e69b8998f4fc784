/** Who this server is to admission webhooks: users of a connection file, named after hosts. */
import { parse } from "yaml";
import { type Connection, credentialsOf, type FileMap, textOf } from "../../schema/connection.ts";
import { fileContext } from "./connection_file.ts";
import { currentPair } from "./current_pair.ts";
import type { HookIdentity } from "../admission/webhooks/transport.ts";
import { readText } from "./files.ts";

/** What is shown to one webhook. PEM texts. */
export type HookCredentials = Pick<Connection, "authorization" | "cert" | "key">;

/** Users of a file by the host they are for, and the one for all others. */
export interface HookUsers {
  readonly byName: ReadonlyMap<string, HookCredentials>;
  readonly fallback: () => HookCredentials;
}

const OPTION = "admission-control-config-file";

/** Reads what an identity names; its own pair is looked at again, at most once a minute. `now` in ms. @throws Error that names the file and what is wrong */
export function readHookUsers({ connectionFile, certFile, keyFile }: HookIdentity, now: () => number): HookUsers {
  if ((certFile === "") !== (keyFile === "")) {
    throw new Error("--proxy-client-cert-file and --proxy-client-key-file go together");
  }
  const own = certFile === "" ? () => ({}) : currentPair(
    { option: "proxy-client-cert-file", path: certFile },
    { option: "proxy-client-key-file", path: keyFile },
    now,
  );
  if (connectionFile === "") return { byName: new Map(), fallback: own };
  const { byName, fallback } = usersOf(connectionFile);
  return { byName, fallback: fallback ? () => fallback : own };
}

/** Users of a connection file, and of the files that it names. */
function usersOf(path: string): { byName: HookUsers["byName"]; fallback: HookCredentials | undefined } {
  const at = fileContext(OPTION, path);
  const file = (parse(readText(OPTION, path)) ?? {}) as FileMap;
  const byName = new Map<string, HookCredentials>();
  for (const { name, user } of (file["users"] ?? []) as FileMap[]) {
    byName.set(textOf(name), credentialsOf((user ?? {}) as FileMap, at));
  }
  const contexts = (file["contexts"] ?? []) as FileMap[];
  const current = contexts.find((c) => textOf(c["name"]) === textOf(file["current-context"]))?.["context"] as FileMap;
  return { byName, fallback: byName.get("*") ?? byName.get(textOf(current?.["user"])) };
}

/** `*.svc:443`, … of `hooks.team.svc:443`, longest first. */
function* wildcards(target: string): Generator<string> {
  const steps = target.split(".");
  for (let i = 1; i < steps.length; i++) yield `*.${steps.slice(i).join(".")}`;
}

/** The user for a host: by name and port, by a star for its beginning, then without the usual port, then any. */
export function credentialsFor(users: HookUsers, host: string, port: number): HookCredentials {
  const shown = host.includes(":") ? `[${host}]` : host;
  for (const target of port === 443 ? [`${shown}:443`, host] : [`${shown}:${port}`]) {
    for (const name of [target, ...wildcards(target)]) {
      const found = users.byName.get(name);
      if (found) return found;
    }
  }
  return users.fallback();
}
