/** `/debug/api_priority_and_fairness/`: priority levels, their queues, and the requests in them, as tables of text. */
import type { Fairness } from "../flowcontrol/fairness.ts";
import type { Refusal } from "../flowcontrol/counts.ts";
import type { Asking, Level } from "../flowcontrol/level.ts";
import type { RequestScope } from "../request.ts";
import type { DebugHandler } from "./debug.ts";
import { textAnswer } from "./debug_text.ts";

const AT = "/debug/api_priority_and_fairness";
/** A time that is not yet. */
const NEVER = "0001-01-01T00:00:00Z";

/** Handlers by path. `dump_requests?includeRequestDetails=1` tells who asks for what, too. */
export function debugFlowPaths(fairness: Fairness<RequestScope>): Map<string, DebugHandler> {
  const levels = () => [...fairness.levels()].sort((a, b) => a.rules.name < b.rules.name ? -1 : 1);
  return new Map<string, DebugHandler>([
    [`${AT}/dump_priority_levels`, () => textAnswer(table(LEVELS, levels().map(levelRow)))],
    [`${AT}/dump_queues`, () => textAnswer(table(QUEUES, levels().flatMap(queueRows)))],
    [`${AT}/dump_requests`, ({ request }) => {
      const detailed = !!new URL(request.url).searchParams.get("includeRequestDetails");
      return textAnswer(
        table(detailed ? [...REQUESTS, ...DETAILS] : REQUESTS, levels().flatMap((l) => requestRows(l, detailed))),
      );
    }],
  ]);
}

const LEVELS = [
  "PriorityLevelName",
  "ActiveQueues",
  "IsIdle",
  "IsQuiescing",
  "WaitingRequests",
  "ExecutingRequests",
  "DispatchedRequests",
  "RejectedRequests",
  "TimedoutRequests",
  "CancelledRequests",
];

function levelRow(level: Level<RequestScope>): string[] {
  const { queued, executing } = level.state;
  const counts = [...level.counts.values()];
  const refused = (...reasons: Refusal[]) => counts.reduce((n, c) => n + c.refusals(...reasons), 0);
  return [
    level.rules.name,
    level.queues().filter((q) => q.waiting.length > 0).length,
    queued + executing === 0,
    level.quiescing,
    queued,
    executing,
    counts.reduce((n, { dispatched }) => n + dispatched, 0),
    refused("concurrency-limit", "queue-full"),
    refused("time-out"),
    refused("cancelled"),
  ].map(String);
}

// Columns as the public server has them; work is measured in seats here, so the last two sums are the same number.
const QUEUES = [
  "PriorityLevelName",
  "Index",
  "PendingRequests",
  "ExecutingRequests",
  "SeatsInUse",
  "NextDispatchR",
  "InitialSeatsSum",
  "MaxSeatsSum",
  "TotalWorkSum",
];

function queueRows(level: Level<RequestScope>): string[][] {
  const working = [...level.atWork()];
  return level.queues().map(({ turn, waiting }, index) => {
    const executing = working.filter((a) => a.queue === index);
    const seats = seatsOf(waiting);
    return [level.rules.name, index, waiting.length, executing.length, seatsOf(executing), turn, seats, seats, seats]
      .map(String);
  });
}

const seatsOf = (list: readonly Asking<RequestScope>[]): number => list.reduce((n, a) => n + a.seats, 0);

const REQUESTS = [
  "PriorityLevelName",
  "FlowSchemaName",
  "QueueIndex",
  "RequestIndexInQueue",
  "FlowDistingsher", // so spelt on the public server
  "ArriveTime",
  "InitialSeats",
  "FinalSeats",
  "AdditionalLatency",
  "StartTime",
];
const DETAILS = ["UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion", "Resource", "SubResource"];

/** Those who wait, in the order of their queues, then those at work, in the queue that they came from or -1. */
function requestRows(level: Level<RequestScope>, detailed: boolean): string[][] {
  const row = (asking: Asking<RequestScope>, index: number, started: string): string[] => {
    const { flow, schema, seats, queue = -1, of } = asking;
    const distinguisher = flow.slice(schema.length + 1);
    const arrived = new Date(of.startedAt).toISOString();
    const cells = [level.rules.name, schema, queue, index, distinguisher, arrived, seats, 0, "0s", started].map(String);
    return detailed ? [...cells, ...detailsOf(of)] : cells;
  };
  return [
    ...level.queues().flatMap((q) => q.waiting.map((asking, i) => row(asking, i, NEVER))),
    ...[...level.atWork()].map((a) => row(a, -1, new Date(a.startedAt ?? a.of.startedAt).toISOString())),
  ];
}

function detailsOf({ user, info }: RequestScope): string[] {
  const version = info.group ? `${info.group}/${info.version}` : info.version;
  return [user.name, info.verb, info.path, info.namespace, info.name, version, info.resource, info.subresource];
}

/** Cells with a comma behind each but the last of a row, in columns of at least 8 characters. Whatever ends a line is a space. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body].map((row) => row.map((cell) => cell.replace(/\s/g, " ")));
  const widths = head.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length + 2), 8));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => i < row.length - 1 ? `${cell},`.padEnd(widths[i]!) : cell).join("");
  return rows.map((row) => line(row) + "\n").join("");
}
