/** Calls to a key management service. */
import type { Call } from "../../../../schema/grpc/call.ts";
import { type CallEnd, CallFailure, SocketClient } from "../../../grpc/socket.ts";
import { StorageError } from "../../backend.ts";

/** See the top of the file. */
export class KmsClient {
  readonly #client: SocketClient;

  /** `timeout`: of each call, waiting for the socket included, ms. */
  constructor(readonly name: string, socket: string, readonly timeout: number, ended: CallEnd) {
    this.#client = new SocketClient(socket, ended);
  }

  /** @throws StorageError when the service does not answer, Error when it refuses */
  async call<Q, R>(call: Call<Q, R>, request: Q): Promise<R> {
    try {
      return await this.#client.call(call, request, { timeout: this.timeout });
    } catch (e) {
      throw e instanceof CallFailure ? this.#told(e) : e;
    }
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#client.close();
  }

  #told(failure: CallFailure): Error {
    const text = `key management service ${JSON.stringify(this.name)}: ${failure.message}`;
    return failure.passing ? new StorageError("sealed", text, { cause: failure }) : new Error(text, { cause: failure });
  }
}
