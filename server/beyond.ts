/** What lies beyond a server, from its options and the ways out that it was given. */
import { Agents } from "./agents/agents.ts";
import type { Beyond } from "./agents/beyond.ts";
import type { Options } from "./options/mod.ts";
import type { ProxyTransport } from "./proxy/types.ts";
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
    withheld: withheld(options),
  };
}

/** Headers by which somebody says who asks, beside `Authorization`: those of impersonation and of a front proxy. */
function withheld(options: Options): (name: string) => boolean {
  const { requestheaderUsernameHeaders, requestheaderUidHeaders, requestheaderGroupHeaders } = options;
  const names = new Set(
    [requestheaderUsernameHeaders, requestheaderUidHeaders, requestheaderGroupHeaders].flat().map((n) =>
      n.toLowerCase()
    ),
  );
  const prefixes = ["impersonate-", ...options.requestheaderExtraHeadersPrefix.map((p) => p.toLowerCase())];
  return (name) => names.has(name) || prefixes.some((p) => p !== "" && name.startsWith(p));
}
