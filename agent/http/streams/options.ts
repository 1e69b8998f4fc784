/** What is asked of a stream, from the query. */
import type { IncomingMessage } from "node:http";
import type { ExecRequest } from "../../runtime/types.ts";
import { Refused } from "./refused.ts";

/** Streams of a process. @throws Refused 400 when none is wanted */
export function wantedStreams(query: URLSearchParams): Pick<ExecRequest, "tty" | "stdin" | "stdout" | "stderr"> {
  const is = (name: string): boolean => query.get(name) === "1";
  const tty = is("tty"), stdin = is("input"), stdout = is("output");
  // A terminal has one output.
  const stderr = is("error") && !tty;
  if (!stdin && !stdout && !stderr) throw new Refused(400, "you must specify at least 1 of stdin, stdout, stderr");
  return { tty, stdin, stdout, stderr };
}

/** Whether a request is to go on as a WebSocket. */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

/** Ports to forward: WebSockets name theirs in the query, in SPDY each stream has its own. @throws Refused 400 */
export function wantedPorts(query: URLSearchParams, request: IncomingMessage): number[] {
  if (!isWebSocket(request)) return [];
  const given = query.getAll("port");
  if (given.length === 0) throw new Refused(400, `query parameter "port" is required`);
  return given.flatMap((text) => {
    if (text === "") throw new Refused(400, `query parameter "port" cannot be empty`);
    return text.split(",").map((port) => portOf(port, text));
  });
}

function portOf(port: string, text: string): number {
  const number = /^\d+$/.test(port) ? Number(port) : NaN;
  if (!(number <= 65_535)) {
    const why = `strconv.ParseUint: parsing ${JSON.stringify(port)}: ${
      number > 65_535 ? "value out of range" : "invalid syntax"
    }`;
    throw new Refused(400, `unable to parse ${JSON.stringify(text)} as a port: ${why}`);
  }
  if (number === 0) throw new Refused(400, `port ${JSON.stringify(text)} must be > 0`);
  return number;
}
