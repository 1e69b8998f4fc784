/**
 * Programs that say who a client is: `exec` of a user of a connection file. What they are told, and what they answer; whoever can
 * run one is given.
 */
import { DIALECTS, productOf } from "./product.ts";
import { timeToSeconds } from "./values/time.ts";

/** A program, as a connection file names it. */
export interface CredentialProgram {
  /** Of what it is told and of its answer. */
  readonly apiVersion: string;
  /** A path, or a name to be looked for. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** How to install it; told where it is not there. */
  readonly installHint: string;
  /** The cluster, as it is told of it; undefined: it is not. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** What a client shows: a header, a pair (PEM), or nothing; or the program that says it. */
export interface Shown {
  /** Value of the Authorization header. */
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly program?: CredentialProgram;
}

/** Runs a program, with variables added to its environment; what it wrote. @throws Error with code `ENOENT` where it is not there, any other where it fails */
export type RunProgram = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<string>;

/** What is shown at the time. */
export interface Shows<T> {
  shown(signal: AbortSignal): Promise<T>;
  /** A server would not have it (401): who said it is asked anew. */
  refused(shown: Shown): void;
}

/** The versions that are spoken, by either name. */
const VERSIONS: ReadonlySet<string> = new Set(
  DIALECTS.flatMap((dialect) =>
    ["v1", "v1beta1"].map((v) => productOf(dialect).local(`client.authentication.k8s.io/${v}`))
  ),
);
/** How a program is told what is asked of it. */
const VARIABLE = "KUBERNETES_EXEC_INFO";
/** Programs whose answers are kept. */
const MAX_KEPT = 64;

/** What is wrong with a program of a connection file; undefined where nothing is. */
export function programFault({ apiVersion, command }: CredentialProgram, interactiveMode: string): string | undefined {
  if (command === "") return "exec: a command must be specified";
  if (apiVersion === "") return "exec: an apiVersion must be specified";
  if (!VERSIONS.has(apiVersion)) return `exec: the apiVersion ${JSON.stringify(apiVersion)} is not known`;
  if (interactiveMode === "" && !apiVersion.endsWith("/v1beta1")) return "exec: an interactiveMode must be specified";
  if (interactiveMode === "Always") return "exec: standard input is not a terminal, as interactiveMode asks";
  if (!["", "Never", "IfAvailable"].includes(interactiveMode)) {
    return `exec: the interactiveMode ${JSON.stringify(interactiveMode)} is not known`;
  }
  return undefined;
}

interface Answer {
  readonly shown: Pick<Shown, "authorization" | "cert" | "key">;
  /** Unix time, s; it is good until then. Undefined: until it is refused. */
  readonly until: number | undefined;
}

interface Kept {
  readonly asked: Promise<Answer>;
  /** Once it is there. */
  answer?: Answer;
}

/** Answers of programs, as long as they are good. Those who ask meanwhile wait for the same run. */
export class CredentialPrograms {
  readonly #run: RunProgram;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  /** @param now unix time, ms */
  constructor(run: RunProgram, now: () => number) {
    this.#run = run;
    this.#now = now;
  }

  /** What a client shows, its program asked. @throws Error that says why there is no answer; the signal's reason */
  async by<T extends Shown>(client: T, signal: AbortSignal): Promise<T> {
    const { program, ...rest } = client;
    if (program === undefined) return client;
    const name = JSON.stringify(program), kept = this.#kept.get(name);
    const isGood = kept && this.#now() / 1000 <= (kept.answer?.until ?? Infinity);
    const { asked } = isGood ? kept : this.#ask(name, program);
    return { ...rest, ...(await unlessAborted(asked, signal)).shown } as T;
  }

  /** See {@linkcode Shows.refused}. */
  refused({ authorization, cert }: Shown): void {
    for (const [name, { answer }] of this.#kept) {
      if (answer && answer.shown.authorization === authorization && answer.shown.cert === cert) this.#kept.delete(name);
    }
  }

  #ask(name: string, program: CredentialProgram): Kept {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const kept: Kept = { asked: answered(program, this.#run) };
    this.#kept.set(name, kept);
    kept.asked.then((answer) => kept.answer = answer, () => this.#kept.get(name) === kept && this.#kept.delete(name));
    return kept;
  }
}

/** Waits for work that others may wait for too. @throws the signal's reason */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

async function answered({ apiVersion, command, args, env, installHint, cluster }: CredentialProgram, run: RunProgram) {
  const told = { kind: "ExecCredential", apiVersion, spec: { ...(cluster ? { cluster } : {}), interactive: false } };
  let text: string;
  try {
    text = await run(command, args, { ...env, [VARIABLE]: JSON.stringify(told) });
  } catch (e) {
    const missing = (e as { code?: unknown }).code === "ENOENT";
    const why = missing ? "it is not there" + (installHint && `: ${installHint}`) : (e as Error).message;
    throw new Error(`the credential program ${JSON.stringify(command)}: ${why}`, { cause: e });
  }
  try {
    return answerOf(text, apiVersion);
  } catch (e) {
    throw new Error(`the answer of the credential program ${JSON.stringify(command)}: ${(e as Error).message}`);
  }
}

/** @throws Error that holds nothing of the text, which may be secret */
function answerOf(text: string, apiVersion: string): Answer {
  let answer: Record<string, unknown>;
  try {
    answer = Object(JSON.parse(text));
  } catch {
    throw new Error("it is no JSON");
  }
  if (answer["kind"] !== "ExecCredential") throw new Error("its kind is not ExecCredential");
  if (answer["apiVersion"] !== apiVersion) throw new Error(`its apiVersion is not ${apiVersion}, as configured`);
  const status = Object(answer["status"]) as Record<string, unknown>;
  const [token, cert, key, until] = ["token", "clientCertificateData", "clientKeyData", "expirationTimestamp"].map(
    (name) => {
      const value = status[name] ?? "";
      if (typeof value !== "string") throw new Error(`its ${name} is no string`);
      return value;
    },
  ) as [string, string, string, string];
  if (token === "" && cert === "" && key === "") throw new Error("it has no token and no certificate with its key");
  if ((cert === "") !== (key === "")) throw new Error("a certificate and its key go together");
  return {
    shown: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(cert ? { cert, key } : {}) },
    until: until === "" ? undefined : Number(timeToSeconds(until).seconds),
  };
}
