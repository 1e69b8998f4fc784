/** Ways from the server to other servers: documents of issuers, webhooks that connection files name, and webhooks of admission. */
import type { Outside } from "../security.ts";
import { readConnectionFile } from "./connection_file.ts";
import { hookTransport } from "./hook_client.ts";
import { fetchText, postJson } from "./http_client.ts";
import { proxyTransport } from "./proxy_client.ts";

/** The process's ways out. */
export const outside: Outside = {
  fetchText,
  post: (connectionFile) => postJson(readConnectionFile("connection file", connectionFile)),
  hooks: hookTransport,
  proxy: proxyTransport,
  async lookup(host) {
    const { lookup } = await import("node:dns/promises");
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
};
