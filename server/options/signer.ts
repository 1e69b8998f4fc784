/** `--service-account-signing-endpoint`: the signer behind it. */
import type { ExternalSigner } from "../authentication/external_signer/mod.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Options } from "./parse.ts";

const OPTION = "--service-account-signing-endpoint";

/** The signer, ready; undefined where none is named. @throws Error when it does not answer, or its bounds contradict the options */
export async function openSigner(
  options: Options,
  outside: { readonly now: () => number; readonly log: LogLine },
): Promise<ExternalSigner | undefined> {
  const socket = options.serviceAccountSigningEndpoint;
  const issuer = options.serviceAccountIssuer[0];
  if (socket === "" || !issuer) return undefined;
  // gRPC is loaded only where there is a signer.
  const { SocketClient } = await import("../grpc/socket.ts");
  const { ExternalSigner, SignerMetrics } = await import("../authentication/external_signer/mod.ts");
  const metrics = new SignerMetrics();
  const caller = new SocketClient(socket, (path, status, seconds) => metrics.called(path, status, seconds));
  try {
    const signer = await ExternalSigner.start({ issuer, caller, metrics, ...outside });
    const asked = options.serviceAccountMaxTokenExpiration / 1000;
    if (asked <= signer.maxSeconds) return signer;
    signer.close();
    throw new Error(`its tokens live ${signer.maxSeconds} s at most, less than --service-account-max-token-expiration`);
  } catch (e) {
    throw new Error(`${OPTION}: ${(e as Error).message}`, { cause: e });
  }
}

/** Tokens that admission put into pods ask for so many seconds, and live a year where they may. */
const BY_ADMISSION = 3607;
const YEAR = 365 * 24 * 3600;

/** What an operator should know of the lives of tokens. `signer`: the longest life there, seconds. */
export function expirationWarnings(options: Options, signer: number | undefined): string[] {
  const longest = options.serviceAccountMaxTokenExpiration / 1000 || (signer ?? 0);
  if (!options.serviceAccountExtendTokenExpiration || longest === 0) return [];
  const extends_ = "--service-account-extend-token-expiration";
  const bound = signer === undefined ? "--service-account-max-token-expiration" : "the external signer";
  const warnings: string[] = [];
  if (longest < BY_ADMISSION) {
    warnings.push(`${extends_} has no effect: ${bound} allows ${longest} seconds, less than ${BY_ADMISSION}`);
  }
  if (longest < YEAR) {
    warnings.push(
      signer === undefined
        ? `${extends_} lets tokens live ${YEAR} seconds, longer than ${bound} (${longest})`
        : `${extends_}: ${bound} lets tokens live ${longest} seconds, not ${YEAR}`,
    );
  }
  return warnings;
}
