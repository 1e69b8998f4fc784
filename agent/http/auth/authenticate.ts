/** Who a request is from: by certificate, by token, or nobody. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Product } from "../../../schema/product.ts";
import { tokenAmong } from "../../../schema/values/token_protocols.ts";
import type { CertificateReader } from "./certificates.ts";
import type { TokenReader } from "./tokens.ts";
import type { User } from "./types.ts";

/** The ways in which users are known. */
export interface Ways {
  readonly certificates: CertificateReader;
  /** Absent: tokens are not looked at. */
  readonly tokens?: TokenReader | undefined;
  /** Whether one who shows nothing is let on. */
  readonly anonymous: boolean;
  readonly product: Product;
}

const ANONYMOUS: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const AUTHENTICATED = "system:authenticated";
const BEARER = /^bearer +(\S+)$/i;

/** The user; undefined: nobody is let on. @throws Error for what is shown and does not hold, when nothing else does */
export async function authenticate(
  ways: Ways,
  request: IncomingMessage,
  secure: TLSSocket | undefined,
): Promise<User | undefined> {
  const faults: unknown[] = [];
  const tries = [
    async () => secure && ways.certificates(secure),
    async () => {
      const token = ways.tokens && tokenOf(request, ways.product);
      if (token === undefined || !ways.tokens) return undefined;
      const user = await ways.tokens(token);
      if (!user) throw new Error("invalid bearer token");
      return user;
    },
  ];
  for (const known of tries) {
    try {
      const user = await known();
      if (user) return withGroup(user);
    } catch (e) {
      faults.push(e);
    }
  }
  if (faults.length > 0) throw new Error(faults.map((e) => (e as Error).message).join(", "));
  return ways.anonymous ? ANONYMOUS : undefined;
}

/** By its header, or as browsers carry it. @throws Error when that is written wrongly */
function tokenOf({ headers }: IncomingMessage, product: Product): string | undefined {
  const token = BEARER.exec(headers.authorization?.trim() ?? "")?.[1], protocols = headers["sec-websocket-protocol"];
  if (token !== undefined || !protocols || headers.upgrade?.toLowerCase() !== "websocket") return token;
  return tokenAmong(protocols, product);
}

const withGroup = (user: User): User =>
  user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
