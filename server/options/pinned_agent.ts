/**
 * Servers whose own certificate is the authority that is named for them, though another one has signed it: the runtime's TLS (2.9.3)
 * looks for a signer alone, and trusts none of them but those that sign themselves.
 */
import type https from "node:https";
import type { Duplex } from "node:stream";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { type Certificate, isTrustedItself, parseBundle } from "../../pki/mod.ts";
import { sameBytes } from "../../schema/values/bytes.ts";

type Created = (e: Error | null, socket?: Duplex) => void;
type Create = (options: ConnectionOptions, created: Created) => Duplex | undefined;

/** How long TLS may take to begin, ms. */
const WITHIN = 20_000;

/** Has an agent for HTTPS trust such servers, too. A connection is given away once it is known whose it is. */
export function pinned(agent: https.Agent): https.Agent {
  const opening = agent as { createConnection: Create };
  const create = opening.createConnection.bind(agent);
  opening.createConnection = (options, created) => {
    const pins = options.rejectUnauthorized === false ? [] : noAuthorities(options.ca);
    if (pins.length === 0) return create(options, created);
    const judge = (socket: Duplex) => whenTrusted(socket as TLSSocket, pins, options, created);
    // Without a key for sessions: one that went on from before would not be verified.
    const asked = { ...options, rejectUnauthorized: false, session: undefined, _agentKey: undefined };
    // The runtime's own way gives the socket at once, and tells of it again without anything.
    const socket = create(asked as ConnectionOptions, (e, later) => later ? judge(later) : e && created(e));
    if (socket) judge(socket);
    return undefined;
  };
  return agent;
}

/** The certificates of a bundle (PEM) that are not authorities which have signed themselves: what the runtime may not be able to tell. */
function noAuthorities(ca: ConnectionOptions["ca"]): readonly Certificate[] {
  if (typeof ca !== "string") return [];
  try {
    return parseBundle(ca).filter(({ facts }) => !facts.isCa || !sameBytes(facts.issuer, facts.subject));
  } catch {
    return []; // The runtime says what is wrong with it.
  }
}

function whenTrusted(
  socket: TLSSocket,
  pins: readonly Certificate[],
  { servername, host }: ConnectionOptions,
  created: Created,
): void {
  const end = (e: Error | null) => {
    clearTimeout(timer);
    socket.off("error", end).off("close", closed).off("secureConnect", begun);
    if (e) socket.on("error", () => {}).destroy();
    created(e, ...e ? [] : [socket]);
  };
  const closed = () => end(new Error("the connection is closed"));
  const timer = setTimeout(() => end(new Error("the connection timed out")), WITHIN);
  const decide = async () => {
    const { checkServerIdentity } = await import("node:tls");
    const shown = socket.getPeerCertificate();
    const fault = checkServerIdentity(servername || host || "", shown);
    if (fault || socket.authorized || isTrustedItself(shown.raw, pins, Date.now())) return fault;
    return new Error(`the server's certificate is not trusted: ${socket.authorizationError}`);
  };
  const begun = () => decide().then((fault) => end(fault ?? null), end);
  socket.on("error", end).on("close", closed).once("secureConnect", begun);
}
