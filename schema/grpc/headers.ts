/** Headers of calls, and what those of answers say. */
import type { Headers } from "./http2.ts";
import { GrpcError, statusName, statusOfHttp } from "./status.ts";

/** Units of a time, ms, smallest first. */
const UNITS = [["m", 1], ["S", 1000], ["M", 60_000], ["H", 3_600_000]] as const;
/** A time has eight digits at most. */
const MOST = 99_999_999;

/** Headers of a call that may last so many ms; undefined: for ever. @param more beside those of the protocol */
export function requestHeaders(
  path: string,
  left: number | undefined,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const unit = left === undefined ? undefined : UNITS.find(([, ms]) => left / ms <= MOST);
  return {
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...more,
    ...(unit && { "grpc-timeout": `${Math.ceil(left! / unit[1])}${unit[0]}` }),
  };
}

/** Why the head of an answer is none of gRPC; undefined where it is. */
export function headFault(headers: Headers): GrpcError | undefined {
  const http = Number(headers[":status"]);
  const type = String(headers["content-type"] ?? "");
  if (http === 200 && /^application\/grpc(?:$|[+;])/.test(type)) return undefined;
  return new GrpcError(statusOfHttp(http), `Received HTTP status ${http} with content type ${JSON.stringify(type)}`);
}

/** How a call ended, by its trailers; undefined: well. @param http the status of the answer's head */
export function endOf(trailers: Headers, http: number): GrpcError | undefined {
  const status = trailers["grpc-status"];
  if (status === undefined) {
    return new GrpcError(statusOfHttp(http), `Received HTTP status ${http} without a gRPC status`);
  }
  if (status === "0") return undefined;
  return new GrpcError(statusName(Number(status)), messageOf(String(trailers["grpc-message"] ?? "")));
}

/** The text of a `grpc-message`, percent-decoded; what is no encoding stays as it is. */
export const messageOf = (text: string): string =>
  text.replace(
    /(?:%[0-9A-Fa-f]{2})+/g,
    (run) => UTF8.decode(Uint8Array.from(run.slice(1).split("%"), (byte) => parseInt(byte, 16))),
  );

const UTF8 = new TextDecoder();
