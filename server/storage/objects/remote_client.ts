/** A client of another server of this API, which reads whole answers, one at a time, by a kept connection. */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { type Connection, tlsOf } from "../../../schema/connection.ts";
import { concat } from "../../../schema/values/bytes.ts";
import { withoutEnd } from "../../../schema/values/ends.ts";
import { sentOnce } from "../../../schema/values/sent_once.ts";
import { pastStale, told } from "../../options/https_exchange.ts";
import { pinned } from "../../options/pinned_agent.ts";
import { credentialPrograms } from "../../options/credential_programs.ts";

/** Nobody cancels the command's requests: its process is ended. */
const NEVER = new AbortController().signal;

/** How long the server may be quiet, ms. */
export interface RemoteTimes {
  /** Until the first answer: it has to be reached. */
  readonly firstMs: number;
  /** Until an answer begins (a server gives a request 60 s), and between two pieces of one. */
  readonly quietMs: number;
}

/** An answer, read. */
export interface RemoteAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** See the top of the file. */
export class RemoteClient {
  readonly #connection: Connection;
  readonly #times: RemoteTimes;
  readonly #programs = credentialPrograms();
  readonly #secure = pinned(new https.Agent({ keepAlive: true }));
  readonly #plain = new http.Agent({ keepAlive: true });
  #answered = false;

  constructor(connection: Connection, times: RemoteTimes) {
    this.#connection = connection;
    this.#times = times;
  }

  close(): void {
    this.#secure.destroy();
    this.#plain.destroy();
  }

  /** Asks; once more where it does not know any more who asks. @throws Error for a server that cannot be reached, is quiet for too long, or breaks off */
  async get(path: string): Promise<RemoteAnswer> {
    const by = await this.#programs.by(this.#connection, NEVER), answer = await this.#exchange(path, by);
    if (answer.status !== 401 || !this.#connection.program) return answer;
    this.#programs.refused(by);
    return await this.#exchange(path, await this.#programs.by(this.#connection, NEVER));
  }

  #exchange(path: string, by: Connection): Promise<RemoteAnswer> {
    return pastStale(() => this.#once(path, by), () => false);
  }

  #once(path: string, by: Connection): Promise<RemoteAnswer> {
    return new Promise((resolve, reject) => {
      const request = sentOnce(this.#request(path, by)).end(), { firstMs, quietMs } = this.#times;
      const end = (work: () => void) => {
        clearTimeout(timer);
        work();
      };
      const fail = (e: Error) => {
        end(() => reject(told(request, e)));
        request.destroy();
      };
      const patience = (ms: number) =>
        setTimeout(() => fail(new Error(`GET ${path}: nothing came for ${ms / 1000} s`)), ms);
      let timer = patience(this.#answered ? quietMs : firstMs);
      const heard = () => {
        clearTimeout(timer);
        timer = patience(quietMs);
      };
      request.on("error", fail).once("response", (response: IncomingMessage) => {
        this.#answered = true;
        heard();
        const parts: Uint8Array[] = [];
        response.on("data", (part: Uint8Array) => {
          parts.push(part);
          heard();
        });
        response.once("error", fail);
        response.once("close", () => response.complete || fail(new Error(`GET ${path}: the answer broke off`)));
        response.once("end", () => end(() => resolve({ status: response.statusCode ?? 0, bytes: concat(parts) })));
      });
    });
  }

  #request(path: string, connection: Connection): ClientRequest {
    const { server, authorization } = connection, url = withoutEnd(server, "/") + path;
    const headers = { accept: "application/json", ...(authorization ? { authorization } : {}) };
    return url.startsWith("https:")
      ? https.request(url, { headers, agent: this.#secure, ...tlsOf(connection) })
      : http.request(url, { headers, agent: this.#plain });
  }
}
