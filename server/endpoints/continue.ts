/** Continue tokens of chunked lists: opaque, tied to the request's path, short-lived (specification, "Chunked lists"). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { badRequest } from "../../schema/status.ts";

/** Where a list goes on. */
export interface Continuation {
  /** Version of the whole list; -1: whatever is newest now (a list that was cut by expiry goes on inconsistently). */
  readonly revision: number;
  /** Key of the last item given. */
  readonly after: string;
  /** When the first page was made, ms since the epoch. */
  readonly since: number;
}

/** Makes and reads tokens. Servers that share a store share the secret. */
export class ContinueTokens {
  readonly #secret: Uint8Array;
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** A token for going on with the list of that path. */
  encode(path: string, c: Continuation): string {
    const body = Buffer.from(JSON.stringify([c.revision, c.after, c.since]));
    return Buffer.concat([this.#mac(path, body), body]).toString("base64url");
  }

  /** @throws StatusError 400 for a token that this server did not make for that path */
  decode(path: string, token: string): Continuation {
    const bytes = Buffer.from(token, "base64url");
    const mac = bytes.subarray(0, MAC_BYTES), body = bytes.subarray(MAC_BYTES);
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, this.#mac(path, body))) {
      throw badRequest("continue key is not valid");
    }
    const [revision, after, since] = JSON.parse(body.toString()) as [number, string, number];
    return { revision, after, since };
  }

  #mac(path: string, body: Uint8Array): Buffer {
    return createHmac("sha256", this.#secret).update(path).update("\0").update(body).digest().subarray(0, MAC_BYTES);
  }
}

const MAC_BYTES = 12;
