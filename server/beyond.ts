/** What lies beyond a server, from its options and the ways out that it was given. */
import { Agents } from "./agents/agents.ts";
import type { Beyond } from "./agents/beyond.ts";
import type { Options } from "./options/mod.ts";
import type { ProxyTransport } from "./proxy/types.ts";
import { tellsUser } from "./proxy/user.ts";
import type { Outside, SecurityFiles } from "./security.ts";

/** See the top of the file. */
export function beyondOf(
  options: Options,
  { agents }: SecurityFiles,
  { lookup }: Outside,
  transport: ProxyTransport,
): Beyond {
  return {
    transport,
    agents: new Agents({
      identity: agents ?? (() => ({})),
      addressTypes: options.kubeletPreferredAddressTypes,
      connectMs: options.kubeletTimeout,
    }),
    lookup,
    withheld: tellsUser(options),
  };
}
