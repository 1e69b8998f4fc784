/** Ways from the server to other servers: documents of issuers, and webhooks that connection files name. */
import type { Outside } from "../security.ts";
import { readConnectionFile } from "./connection_file.ts";
import { fetchText, postJson } from "./http_client.ts";

/** The process's ways out. */
export const outside: Outside = {
  fetchText,
  post: (connectionFile) => postJson(readConnectionFile("connection file", connectionFile)),
};
