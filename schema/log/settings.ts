/** The log's options: what they come to, and what must hold of them. */
import { parseQuantity } from "../values/quantity.ts";
import { type Log, logger } from "./log.ts";
import { type LogStreams, oneStream, splitStreams, type WriteLine } from "./streams.ts";
import { type ModuleLevel, Verbosity } from "./verbosity.ts";

/** The members that the log goes by. */
export interface LogOptions {
  /** `text` or `json` */
  readonly loggingFormat: string;
  readonly v: number;
  readonly vmodule: readonly string[];
  /** ms */
  readonly logFlushFrequency: number;
  readonly logTextSplitStream: boolean;
  /** Quantities, empty for none. */
  readonly logTextInfoBufferSize: string;
  readonly logJsonSplitStream: boolean;
  readonly logJsonInfoBufferSize: string;
}

const HIGHEST = 2 ** 31 - 1;

/** The levels of `--vmodule`. @throws Error for an item that is no pattern=N */
export function moduleLevels(items: readonly string[]): ModuleLevel[] {
  return items.filter((item) => item !== "").map((item) => {
    const [pattern = "", level = "", ...more] = item.split("=");
    if (pattern === "" || !/^\d+$/.test(level) || more.length > 0 || Number(level) > HIGHEST) {
      throw new Error(`${JSON.stringify(item)} should be pattern=N with N from 0 to ${HIGHEST}`);
    }
    return { pattern, level: Number(level) };
  });
}

const bytesOf = (size: string): number => size === "" ? 0 : Number(parseQuantity(size).value());

/** What does not hold of the log's options. */
export function logFaults(o: LogOptions, gate: (name: string) => boolean): string[] {
  const faults: string[] = [];
  if (o.logFlushFrequency <= 0) faults.push("--log-flush-frequency: should be greater than zero");
  if (o.loggingFormat === "json" && !gate("LoggingBetaOptions")) {
    faults.push("--logging-format: json needs the feature gate LoggingBetaOptions");
  }
  if (o.vmodule.length > 0 && o.loggingFormat !== "text") faults.push("--vmodule: only for the format text");
  try {
    moduleLevels(o.vmodule);
  } catch (e) {
    faults.push(`--vmodule: ${(e as Error).message}`);
  }
  if (gate("LoggingAlphaOptions")) return faults;
  const alpha: readonly [name: string, given: boolean][] = [
    ["log-text-split-stream", o.logTextSplitStream],
    ["log-text-info-buffer-size", bytesOf(o.logTextInfoBufferSize) !== 0],
    ["log-json-split-stream", o.logJsonSplitStream],
    ["log-json-info-buffer-size", bytesOf(o.logJsonInfoBufferSize) !== 0],
  ];
  const closed = alpha.filter(([, given]) => given).map(([name]) => name);
  return [...faults, ...closed.map((name) => `--${name}: needs the feature gate LoggingAlphaOptions`)];
}

/** The two streams of a process, and what calls again and again. */
export interface LogOutlets {
  out: WriteLine;
  err: WriteLine;
  /** Calls every so many ms until the process ends, which it does not keep from ending. */
  every(ms: number, call: () => void): void;
}

/** The log that the options ask for, and its streams. */
export function logOf(o: LogOptions, now: () => number, outlets: LogOutlets): { log: Log; streams: LogStreams } {
  const streams = streamsOf(o, outlets);
  const verbosity = new Verbosity(o.v, moduleLevels(o.vmodule));
  return { log: logger(o.loggingFormat, now, streams, verbosity), streams };
}

function streamsOf(o: LogOptions, { out, err, every }: LogOutlets): LogStreams {
  const json = o.loggingFormat === "json";
  if (!(json ? o.logJsonSplitStream : o.logTextSplitStream)) return oneStream(err);
  const size = bytesOf(json ? o.logJsonInfoBufferSize : o.logTextInfoBufferSize);
  const streams = splitStreams(out, err, size);
  if (size > 0) every(o.logFlushFrequency, () => streams.flush());
  return streams;
}
