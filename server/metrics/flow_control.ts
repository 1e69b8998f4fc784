/** Metrics of priority and fairness, by level and flow schema, under the public server's names. */
import type { FlowCounts } from "../flowcontrol/counts.ts";
import type { Fairness } from "../flowcontrol/fairness.ts";
import type { Level } from "../flowcontrol/level.ts";
import type { Buckets, Sample } from "./buckets.ts";
import { ByLabels, counterOf, type DerivedMetric } from "./by_labels.ts";

type Labels = Readonly<Record<string, string>>;

/** All of them, as they are when they are asked for. */
export function flowMetrics(fairness: Fairness): readonly DerivedMetric[] {
  const levels = () => [...fairness.levels()];
  const gauge = (name: string, help: string, read: (level: Level) => number) =>
    row(
      name,
      help,
      "gauge",
      (metricName) => levels().map((l) => ({ metricName, labels: { priority_level: l.rules.name }, value: read(l) })),
    );
  const flows = (read: (level: Level) => Iterable<readonly [schema: string, n: number]>) => (metric: string) => {
    const sums = new ByLabels(() => 0);
    for (const l of levels()) for (const [schema, n] of read(l)) sums.at(labelsOf(l, schema)).value += n;
    return counterOf(sums)(metric);
  };
  const counted = (lines: (metric: string, labels: Labels, counts: FlowCounts) => Sample[]) => (metric: string) =>
    levels().flatMap((l) => [...l.counts].flatMap(([schema, counts]) => lines(metric, labelsOf(l, schema), counts)));
  return [
    row("current_inqueue_requests", "Requests waiting in queues", "gauge", flows(waitingOf)),
    row("current_executing_requests", "Requests at work", "gauge", flows((l) => atWork(l, () => 1))),
    row("current_executing_seats", "Seats in use", "gauge", flows((l) => atWork(l, (seats) => seats))),
    gauge("nominal_limit_seats", "Seats of the level's own", (l) => l.rules.seats),
    gauge("lower_limit_seats", "Seats that the level never lends", (l) => l.rules.seats - l.rules.lendable),
    gauge("upper_limit_seats", "Seats that the level may have with all that it may borrow", (l) => fairness.upper(l)),
    gauge("current_limit_seats", "Seats that the level can have now", (l) => fairness.limit(l)),
    row(
      "dispatched_requests_total",
      "Requests let in",
      "counter",
      counted((metricName, labels, { dispatched }) =>
        dispatched > 0 ? [{ metricName, labels, value: dispatched }] : []
      ),
    ),
    row(
      "rejected_requests_total",
      "Requests refused, by reason",
      "counter",
      counted((metricName, labels, { refused }) =>
        [...refused].map(([reason, value]) => ({ metricName, labels: { ...labels, reason }, value }))
      ),
    ),
    row(
      "work_estimated_seats",
      "Seats that requests are thought to need",
      "histogram",
      counted((metric, labels, { wanted }) => lines(wanted, metric, labels)),
    ),
    row(
      "request_wait_duration_seconds",
      "Time in a queue, by whether the request was let in then",
      "histogram",
      counted((metric, labels, { waited, waitedInVain }) => [
        ...lines(waited, metric, { ...labels, execute: "true" }),
        ...lines(waitedInVain, metric, { ...labels, execute: "false" }),
      ]),
    ),
    row(
      "request_execution_seconds",
      "Time from being let in to the answer's head",
      "histogram",
      counted((metric, labels, { worked }) => lines(worked, metric, labels)),
    ),
  ];
}

function row(
  name: string,
  help: string,
  type: DerivedMetric["type"],
  samples: DerivedMetric["samples"],
): DerivedMetric {
  return { name: `apiserver_flowcontrol_${name}`, help, type, samples };
}

const labelsOf = (level: Level, flow_schema: string): Labels => ({ priority_level: level.rules.name, flow_schema });

const lines = (buckets: Buckets, metric: string, labels: Labels): Sample[] =>
  buckets.count > 0 ? buckets.samples(metric, labels) : [];

/** Flow schemas that have been seen are told with 0 too. */
function* atWork(level: Level, n: (seats: number) => number): Iterable<readonly [string, number]> {
  for (const schema of level.counts.keys()) yield [schema, 0];
  for (const { schema, seats } of level.atWork()) yield [schema, n(seats)];
}

function* waitingOf(level: Level): Iterable<readonly [string, number]> {
  for (const schema of level.counts.keys()) yield [schema, 0];
  for (const { waiting } of level.queues()) for (const { schema } of waiting) yield [schema, 1];
}
