/** Who a request is from: by certificate, by token, or nobody. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
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
  const token = BEARER.exec(request.headers.authorization?.trim() ?? "")?.[1];
  const tries = [
    async () => secure && ways.certificates(secure),
    async () => {
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

const withGroup = (user: User): User =>
  user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
