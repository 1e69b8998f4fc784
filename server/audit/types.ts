/** What is recorded of requests, and where it goes (specification, "Audit events"). */
import type { PostJson } from "../authentication/webhook_client.ts";
import type { Status } from "../../schema/status.ts";
import type { User } from "../request.ts";

/** How much is recorded: each level has what those before it have. */
export const LEVELS = ["None", "Metadata", "Request", "RequestResponse"] as const;
/** A place of {@linkcode LEVELS}. */
export type Level = 0 | 1 | 2 | 3;

/** When an event is made. `ResponseStarted` is of long-running requests, and of those that nobody was authenticated for. */
export const STAGES = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
/** One of them. */
export type Stage = typeof STAGES[number];

/** The object that a request is about; empty texts are left out of events. */
export interface ObjectReference {
  resource: string;
  namespace: string;
  name: string;
  uid: string;
  apiGroup: string;
  apiVersion: string;
  resourceVersion: string;
  subresource: string;
}

/** What an event says. Objects are JSON texts. Times in ms since the epoch. */
export interface EventData {
  readonly level: Level;
  readonly auditId: string;
  readonly stage: Stage;
  readonly requestUri: string;
  readonly verb: string;
  /** Without a name: nobody knows yet. */
  readonly user: User;
  readonly impersonatedUser?: User | undefined;
  /** The verb of constrained impersonation that let it happen. */
  readonly constraint?: string | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: Readonly<ObjectReference> | undefined;
  readonly responseStatus?: Readonly<Partial<Status>> | undefined;
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly received: number;
  readonly at: number;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Takes lines of text; throws when one cannot be written. */
export interface LineWriter {
  write(text: string): void;
  close(): Promise<void> | void;
}

/** What the process gives a server that records. */
export interface AuditInputs {
  /** Text of the policy file. */
  readonly policy: string;
  readonly log?: LineWriter;
  readonly webhook?: PostJson;
}
