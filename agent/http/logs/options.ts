/** What is asked of a container's log (PodLogOptions), from the query. */
import { type Moment, timeToSeconds, ZERO_TIME } from "../../../schema/values/time.ts";

/** Which of a container's outputs. */
export type LogStream = "stdout" | "stderr";

/** What is asked. */
export interface LogOptions {
  readonly follow: boolean;
  /** Of the container before the present one. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** Lines of before are left out. */
  readonly since?: Moment;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Absent: both. */
  readonly stream?: LogStream;
}

/** A query that cannot be answered. */
export class BadLogQuery extends Error {
  constructor(readonly status: 400 | 422, message: string) {
    super(message);
  }
}

const unreadable = () => new BadLogQuery(400, `{"message": "Unable to decode query."}`);
const invalid = () => new BadLogQuery(422, `{"message": "Invalid request."}`);

const STREAMS: Readonly<Record<string, LogStream | undefined>> = { All: undefined, Stdout: "stdout", Stderr: "stderr" };

/** Reads a query. @param split gate PodLogsQuerySplitStreams; @param now ms. @throws BadLogQuery */
export function readLogOptions(query: URLSearchParams, now: number, split: boolean): LogOptions {
  const tail = query.get("tail") || query.get("tailLines");
  const tailLines = query.get("tail") === "all" ? undefined : integer(tail);
  const limitBytes = integer(query.get("limitBytes"));
  const sinceSeconds = integer(query.get("sinceSeconds"));
  const sinceTime = time(query.get("sinceTime"));
  const stream = query.get("stream");
  if (sinceSeconds !== undefined && (sinceTime || sinceSeconds < 1)) throw invalid();
  if ((tailLines ?? 0) < 0 || (limitBytes ?? 1) < 1) throw invalid();
  if (stream !== null && !Object.hasOwn(STREAMS, stream)) throw invalid();
  const chosen = stream === null ? undefined : STREAMS[stream];
  if (chosen && tailLines !== undefined) throw invalid();
  if (chosen && !split) {
    const advice = "Please enable PodLogsQuerySplitStreams feature gate in kubelet";
    throw new BadLogQuery(400, `unable to return the given log stream: "${stream}". ${advice}`);
  }
  const since = sinceSeconds === undefined ? sinceTime : before(now, sinceSeconds);
  return {
    follow: flag(query.get("follow")),
    previous: flag(query.get("previous")),
    timestamps: flag(query.get("timestamps")),
    ...(since ? { since } : {}),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(chosen ? { stream: chosen } : {}),
  };
}

const flag = (text: string | null): boolean => text !== null && !/^(false|0)$/i.test(text);

function integer(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[-+]?\d{1,19}$/.test(text)) throw unreadable();
  return Number(text);
}

function time(text: string | null): Moment | undefined {
  if (text === null) return undefined;
  try {
    return timeToSeconds(text === "" || text === "null" ? ZERO_TIME : text);
  } catch {
    throw unreadable();
  }
}

const before = (now: number, seconds: number): Moment => ({
  seconds: Math.floor(now / 1000) - seconds,
  nanos: (now % 1000) * 1_000_000,
});
