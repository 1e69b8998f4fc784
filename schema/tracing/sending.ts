/** The call by which spans go to a collector, whoever makes it. */
import type { Call } from "../grpc/call.ts";
import type { StatusName } from "../grpc/status.ts";
import { EXPORT_PATH, exportRequest, rejectedOf, type Sender } from "./otlp.ts";
import { ExportError, type SendSpans } from "./queue.ts";
import type { SpanRecord } from "./span.ts";

/** Where collectors listen. */
export const COLLECTOR = "localhost:4317";

/** The call. */
export type ExportCall = Call<readonly SpanRecord[], ReturnType<typeof rejectedOf>>;

/** Makes it. What it throws has the protocol's `status`. */
export type MakeExportCall = (
  call: ExportCall,
  spans: readonly SpanRecord[],
  signal: AbortSignal,
) => Promise<ReturnType<typeof rejectedOf>>;

/** Codes after which a call is to be made again. */
const AGAIN: readonly StatusName[] = [
  "Canceled",
  "DeadlineExceeded",
  "Aborted",
  "OutOfRange",
  "Unavailable",
  "DataLoss",
];

/** Sends spans by calls. */
export function sending(make: MakeExportCall, sender: Sender): SendSpans {
  const call = {
    path: EXPORT_PATH,
    encode: (spans: readonly SpanRecord[]) => exportRequest(spans, sender),
    decode: rejectedOf,
  };
  return async (spans, signal) => {
    try {
      return (await make(call, spans, signal)).spans;
    } catch (e) {
      const { status = "Unknown", message } = e as Error & { status?: StatusName };
      throw new ExportError(message, AGAIN.includes(status), { cause: e });
    }
  };
}
