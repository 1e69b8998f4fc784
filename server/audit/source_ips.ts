/** Where a request came from: the addresses that its headers tell, then that of the connection. */
import { formatIp, tryParseIp } from "../../schema/values/ip.ts";
import type { RequestScope } from "../request.ts";

/** All but the last can be whatever the client says. Each stands as an address is usually written. */
export function sourceIps({ headers, connection }: Pick<RequestScope, "headers" | "connection">): string[] {
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map(address).filter((ip) => ip !== undefined);
  const real = address(headers.get("x-real-ip") ?? "");
  if (real !== undefined && !forwarded.includes(real)) forwarded.push(real);
  const remote = address(connection.remoteAddress);
  if (remote !== undefined && forwarded.at(-1) !== remote) forwarded.push(remote);
  return forwarded;
}

function address(text: string): string | undefined {
  const ip = tryParseIp(text.trim());
  return ip && formatIp(ip);
}
