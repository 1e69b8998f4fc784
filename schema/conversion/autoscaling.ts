/**
 * HorizontalPodAutoscaler v1 ↔ v2. Version 1 knows only a target of CPU; everything else travels in annotations, in
 * version 1's own shapes of metrics and conditions, and the behavior under names that start with a capital.
 */
import { safeText } from "../codec/json.ts";
import { decodeTyped } from "../codec/typed.ts";
import { ValueError } from "../values/error.ts";
import { builtInMessage } from "../messages.ts";
import { isMap, setMember } from "../model/members.ts";
import type { Json, JsonMap, Message } from "../model/types.ts";
import type { Product } from "../product.ts";
import { present, type ShapeTable } from "./types.ts";

const ANNOTATIONS = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  scaleDownTolerance: "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
  scaleUpTolerance: "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
} as const;
/** What version 1 means when it names no metric at all. */
const DEFAULT_UTILIZATION = 80;
const CPU = "cpu";

type Part = (v: JsonMap) => JsonMap;
const part = (v: Json | undefined): JsonMap => isMap(v) ? v : {};
const listOf = (v: Json | undefined): JsonMap[] => Array.isArray(v) ? v.filter(isMap) : [];

/** Of each source: how version 2's form becomes version 1's, and back. `spec` is what is wanted, `status` what is. */
interface SourceForms {
  readonly spec: { readonly toV1: Part; readonly toV2: Part };
  readonly status: { readonly toV1: Part; readonly toV2: Part };
}

const resource: SourceForms = {
  spec: {
    toV1: ({ name, container, target }) =>
      present({
        name,
        container,
        targetAverageUtilization: part(target).averageUtilization,
        targetAverageValue: part(target).averageValue,
      }),
    toV2: ({ name, container, targetAverageUtilization: averageUtilization, targetAverageValue: averageValue }) =>
      present({
        name,
        container,
        target: present({
          type: averageUtilization === undefined ? "AverageValue" : "Utilization",
          averageValue,
          averageUtilization,
        }),
      }),
  },
  status: {
    toV1: ({ name, container, current }) =>
      present({
        name,
        container,
        currentAverageUtilization: part(current).averageUtilization,
        currentAverageValue: part(current).averageValue,
      }),
    toV2: ({ name, container, currentAverageUtilization: averageUtilization, currentAverageValue }) =>
      present({
        name,
        container,
        current: present({ averageValue: currentAverageValue ?? "0", averageUtilization }),
      }),
  },
};

const SOURCES: Readonly<Record<string, SourceForms>> = {
  resource,
  containerResource: resource,
  object: {
    spec: {
      toV1: ({ describedObject, target, metric }) =>
        present({
          target: describedObject,
          metricName: part(metric).name,
          targetValue: part(target).value,
          selector: part(metric).selector,
          averageValue: part(target).averageValue,
        }),
      toV2: ({ target, metricName: name, targetValue, selector, averageValue }) =>
        present({
          describedObject: target,
          target: present({
            type: averageValue === undefined ? "Value" : "AverageValue",
            value: targetValue ?? "0",
            averageValue,
          }),
          metric: present({ name, selector }),
        }),
    },
    status: {
      toV1: ({ describedObject, current, metric }) =>
        present({
          target: describedObject,
          metricName: part(metric).name,
          currentValue: part(current).value,
          selector: part(metric).selector,
          averageValue: part(current).averageValue,
        }),
      toV2: ({ target, metricName: name, currentValue, selector, averageValue }) =>
        present({
          describedObject: target,
          current: present({ value: currentValue ?? "0", averageValue }),
          metric: present({ name, selector }),
        }),
    },
  },
  pods: {
    spec: {
      toV1: ({ metric, target }) =>
        present({
          metricName: part(metric).name,
          targetAverageValue: part(target).averageValue,
          selector: part(metric).selector,
        }),
      toV2: ({ metricName: name, targetAverageValue, selector }) =>
        present({
          metric: present({ name, selector }),
          target: { type: "AverageValue", averageValue: targetAverageValue ?? "0" },
        }),
    },
    status: {
      toV1: ({ metric, current }) =>
        present({
          metricName: part(metric).name,
          currentAverageValue: part(current).averageValue,
          selector: part(metric).selector,
        }),
      toV2: ({ metricName: name, currentAverageValue, selector }) =>
        present({ metric: present({ name, selector }), current: { averageValue: currentAverageValue ?? "0" } }),
    },
  },
  external: {
    spec: {
      toV1: ({ metric, target }) =>
        present({
          metricName: part(metric).name,
          metricSelector: part(metric).selector,
          targetValue: part(target).value,
          targetAverageValue: part(target).averageValue,
        }),
      toV2: ({ metricName: name, metricSelector: selector, targetValue: value, targetAverageValue: averageValue }) =>
        present({
          metric: present({ name, selector }),
          target: present({ type: value === undefined ? "AverageValue" : "Value", value, averageValue }),
        }),
    },
    status: {
      toV1: ({ metric, current }) =>
        present({
          metricName: part(metric).name,
          metricSelector: part(metric).selector,
          currentValue: part(current).value,
          currentAverageValue: part(current).averageValue,
        }),
      toV2: ({ metricName: name, metricSelector: selector, currentValue, currentAverageValue: averageValue }) =>
        present({
          metric: present({ name, selector }),
          current: present({ value: currentValue ?? "0", averageValue }),
        }),
    },
  },
};

function convertMetric(metric: JsonMap, side: "spec" | "status", to: "toV1" | "toV2"): JsonMap {
  const out: JsonMap = present({ type: metric.type });
  for (const [name, forms] of Object.entries(SOURCES)) {
    const source = metric[name];
    if (isMap(source)) out[name] = forms[side][to](source);
  }
  return out;
}

const isCpuUtilization = (m: JsonMap, told: "target" | "current") =>
  m.type === "Resource" && part(m.resource).name === CPU &&
  part(part(m.resource)[told]).averageUtilization !== undefined;

const cpuMetric = (averageUtilization: Json): JsonMap => ({
  type: "Resource",
  resource: { name: CPU, target: { type: "Utilization", averageUtilization } },
});

/** JSON of a list, each item in the declared form of version 1. */
function listText(items: readonly JsonMap[], message: string): string {
  return safeText(items.map((x) => decodeTyped(builtInMessage(`autoscaling.v1.${message}`)!, x, {}, { unknown: [] })));
}

/** An annotation's list; undefined when it is not one. */
function listFrom(text: string | undefined, message: string): JsonMap[] | undefined {
  if (text === undefined) return undefined;
  return attempt(() => {
    const items = JSON.parse(text) as Json;
    if (!Array.isArray(items)) return undefined;
    const declared = builtInMessage(`autoscaling.v1.${message}`)!;
    return items.map((x) => decodeTyped(declared, inAnyCase(declared, x), {}, { unknown: [] }));
  });
}

/** A value with the declared names of its members: annotations may write them in any case. */
function inAnyCase(message: Message, value: Json): Json {
  if (!isMap(value)) return value;
  const declared = new Map(message.json.map((f) => [f.name.toLowerCase(), f]));
  const out: JsonMap = {};
  for (const [name, v] of Object.entries(value)) {
    const field = message.byName.get(name) ?? declared.get(name.toLowerCase());
    if (!field || typeof field.type === "string" || field.map) setMember(out, field?.name ?? name, v);
    else {
      const type = field.type;
      out[field.name] = Array.isArray(v) ? v.map((x) => inAnyCase(type, x)) : inAnyCase(type, v);
    }
  }
  return out;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (err) {
    if (err instanceof SyntaxError || err instanceof ValueError) return undefined;
    throw err;
  }
}

const capital = (s: string) => s[0]!.toUpperCase() + s.slice(1);
const rekey = (m: JsonMap, f: (s: string) => string): JsonMap =>
  Object.fromEntries(
    Object.entries(m).map(([k, v]) => [
      f(k),
      isMap(v) ? rekey(v, f) : Array.isArray(v) ? v.map((x) => isMap(x) ? rekey(x, f) : x) : v,
    ]),
  );

const RULES = ["stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance"];

/** The behavior with every member written, absent ones as null, under capital names. */
function behaviorText(behavior: JsonMap): string {
  const rules = (v: Json | undefined): Json =>
    isMap(v) ? Object.fromEntries(RULES.map((name) => [name, v[name] ?? null])) : null;
  return JSON.stringify(rekey({ scaleUp: rules(behavior.scaleUp), scaleDown: rules(behavior.scaleDown) }, capital));
}

function behaviorFrom(text: string | undefined): JsonMap | undefined {
  if (text === undefined) return undefined;
  return attempt(() => {
    const tree = JSON.parse(text) as Json;
    if (!isMap(tree)) return undefined;
    const message = builtInMessage("autoscaling.v2.HorizontalPodAutoscalerBehavior")!;
    const behavior = decodeTyped(message, inAnyCase(message, tree), {}, { unknown: [] });
    return Object.keys(behavior).length ? behavior : undefined;
  });
}

/** Metadata with the conversion's annotations taken away and others put in. */
function withAnnotations(metadata: Json | undefined, product: Product, add: Record<string, string>): JsonMap {
  const { annotations, ...rest } = part(metadata);
  const own = new Set(Object.values(ANNOTATIONS).map((a) => product.local(a)));
  const kept = Object.entries(part(annotations)).filter(([k]) => !own.has(k));
  const all = [...kept, ...Object.entries(add)];
  return all.length ? { ...rest, annotations: Object.fromEntries(all) } : rest;
}

function toV2(object: JsonMap, product: Product): JsonMap {
  const { targetCPUUtilizationPercentage: wanted, ...spec } = part(object.spec);
  const { currentCPUUtilizationPercentage: actual, ...status } = part(object.status);
  const annotations = part(part(object.metadata).annotations) as Record<string, string>;
  const text = (name: keyof typeof ANNOTATIONS) => annotations[product.local(ANNOTATIONS[name])];
  const more = listFrom(text("metrics"), "MetricSpec")?.map((m) => convertMetric(m, "spec", "toV2")) ?? [];
  const own = typeof wanted === "number" ? [cpuMetric(wanted)] : [];
  const metrics = [...more, ...own];
  const current = listFrom(text("currentMetrics"), "MetricStatus")?.map((m) => convertMetric(m, "status", "toV2")) ??
    (typeof actual === "number"
      ? [{ type: "Resource", resource: { name: CPU, current: { averageUtilization: actual } } }]
      : undefined);
  return {
    ...object,
    metadata: withAnnotations(object.metadata, product, {}),
    spec: present({
      ...spec,
      metrics: metrics.length ? metrics : [cpuMetric(DEFAULT_UTILIZATION)],
      behavior: behaviorFrom(text("behavior")),
    }),
    status: present({
      ...status,
      currentMetrics: current,
      conditions: listFrom(text("conditions"), "HorizontalPodAutoscalerCondition"),
    }),
  };
}

function toV1(object: JsonMap, product: Product): JsonMap {
  const { metrics, behavior, ...spec } = part(object.spec);
  const { currentMetrics, conditions, ...status } = part(object.status);
  const wanted = listOf(metrics), actual = listOf(currentMetrics), states = listOf(conditions);
  const others = wanted.filter((m) => !isCpuUtilization(m, "target")).map((m) => convertMetric(m, "spec", "toV1"));
  const add: Record<string, string> = {};
  const put = (name: keyof typeof ANNOTATIONS, text: string) => add[product.local(ANNOTATIONS[name])] = text;
  if (others.length) put("metrics", listText(others, "MetricSpec"));
  if (actual.length) {
    put("currentMetrics", listText(actual.map((m) => convertMetric(m, "status", "toV1")), "MetricStatus"));
  }
  if (isMap(behavior)) put("behavior", behaviorText(behavior));
  if (states.length) put("conditions", listText(states, "HorizontalPodAutoscalerCondition"));
  const cpu = wanted.find((m) => isCpuUtilization(m, "target"));
  const cpuNow = actual.findLast((m) => isCpuUtilization(m, "current"));
  return {
    ...object,
    metadata: withAnnotations(object.metadata, product, add),
    spec: present({
      ...spec,
      targetCPUUtilizationPercentage: cpu && part(part(cpu.resource).target).averageUtilization,
    }),
    status: present({
      ...status,
      currentCPUUtilizationPercentage: cpuNow && part(part(cpuNow.resource).current).averageUtilization,
    }),
  };
}

/** Versions of autoscaling that are not the stored one. */
export const AUTOSCALING: ShapeTable = {
  "autoscaling/v1 HorizontalPodAutoscaler": { toHub: toV2, fromHub: toV1 },
};
