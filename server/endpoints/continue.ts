/**
 * Continue tokens of chunked lists: opaque, sealed, short-lived (specification, "Chunked lists"). A token says how far a
 * list got, relative to where it began: used on another collection it goes on there behind the same name.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { badRequest } from "../../schema/status.ts";

/** Where a list goes on. */
export interface Continuation {
  /** Version of the whole list; -1: whatever is newest now (a list that was cut by expiry goes on inconsistently). */
  readonly revision: number;
  /** Key of the last item given, below the namespace when the list is of one. */
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

  /** A token for going on. */
  encode(c: Continuation): string {
    const body = Buffer.from(JSON.stringify([c.revision, c.after, c.since]));
    return Buffer.concat([this.#mac(body), body]).toString("base64url");
  }

  /** @throws StatusError 400 for a token that no server of this store made */
  decode(token: string): Continuation {
    const bytes = Buffer.from(token, "base64url");
    const mac = bytes.subarray(0, MAC_BYTES), body = bytes.subarray(MAC_BYTES);
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, this.#mac(body))) {
      throw badRequest("invalid continue token: continue key is not valid");
    }
    const [revision, after, since] = JSON.parse(body.toString()) as [number, string, number];
    return { revision, after, since };
  }

  #mac(body: Uint8Array): Buffer {
    return createHmac("sha256", this.#secret).update(body).digest().subarray(0, MAC_BYTES);
  }
}

const MAC_BYTES = 12;
