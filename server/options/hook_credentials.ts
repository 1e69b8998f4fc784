/** Who this server is to admission webhooks: users of a connection file, named after hosts. */
import { credentialsOf, type FileContext, type FileMap, fileOf, textOf } from "../../schema/connection.ts";
import type { Shown } from "../../schema/credential_program.ts";
import { urlHost } from "../../schema/values/host_port.ts";
import { current } from "./current.ts";
import { fileContext, inStep } from "./connection_file.ts";
import { currentPair } from "./current_pair.ts";
import type { HookIdentity } from "../admission/webhooks/transport.ts";
import { readText } from "./files.ts";

/** Users of a file by the host they are for, and the one for all others. */
export interface HookUsers {
  readonly byName: ReadonlyMap<string, Shown>;
  readonly fallback: () => Shown;
}

const OPTION = "admission-control-config-file";

/**
 * Who an identity is at the time. Its own pair, and files that its connection file names, are looked at again, at most once a minute;
 * the connection file is read once. `now` in ms.
 * @throws Error that names the file and what is wrong
 */
export function readHookUsers({ connectionFile, certFile, keyFile }: HookIdentity, now: () => number): () => HookUsers {
  if ((certFile === "") !== (keyFile === "")) {
    throw new Error("--proxy-client-cert-file and --proxy-client-key-file go together");
  }
  const own = certFile === "" ? () => ({}) : currentPair(
    { option: "proxy-client-cert-file", path: certFile },
    { option: "proxy-client-key-file", path: keyFile },
    now,
  );
  if (connectionFile === "") {
    const users: HookUsers = { byName: new Map(), fallback: own };
    return () => users;
  }
  const at = fileContext(OPTION, connectionFile), file = fileOf(readText(OPTION, connectionFile), at);
  const again = () => {
    const users = usersOf(file, at, own);
    for (const user of [...users.byName.values(), users.fallback()]) inStep(user);
    return users;
  };
  return current(usersOf(file, at, own), again, now);
}

/** Users of a connection file, and of the files that it names. */
function usersOf(file: FileMap, at: FileContext, own: () => Shown): HookUsers {
  const byName = new Map<string, Shown>();
  for (const entry of (file["users"] ?? []) as FileMap[]) {
    byName.set(textOf(entry, "name", at), credentialsOf((entry["user"] ?? {}) as FileMap, at));
  }
  const contexts = (file["contexts"] ?? []) as FileMap[];
  const named = textOf(file, "current-context", at);
  const usual = (contexts.find((c) => textOf(c, "name", at) === named)?.["context"] ?? {}) as FileMap;
  const any = byName.get("*") ?? byName.get(textOf(usual, "user", at));
  return { byName, fallback: any ? () => any : own };
}

/** `*.svc:443`, … of `hooks.team.svc:443`, longest first. */
function* wildcards(target: string): Generator<string> {
  const steps = target.split(".");
  for (let i = 1; i < steps.length; i++) yield `*.${steps.slice(i).join(".")}`;
}

/** The user for a host: by name and port, by a star for its beginning, then without the usual port, then any. */
export function credentialsFor(users: HookUsers, host: string, port: number): Shown {
  const shown = urlHost(host);
  for (const target of port === 443 ? [`${shown}:443`, host] : [`${shown}:${port}`]) {
    for (const name of [target, ...wildcards(target)]) {
      const found = users.byName.get(name);
      if (found) return found;
    }
  }
  return users.fallback();
}
