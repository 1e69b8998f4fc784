/** `/stats/summary`. */
import { type Answer, jsonAnswer } from "../answer.ts";
import { filesystemAt } from "./filesystems.ts";
import { coreFigures, nodeFigures, type NodeSources } from "./node.ts";
import { podFigures, type PodSources } from "./pods.ts";
import { systemFigures, type SystemSources } from "./system.ts";
import { millisTime } from "./times.ts";
import type { NodeFigures, Summary } from "./types.ts";

/** What a summary needs. */
export type SummarySources = NodeSources & PodSources & SystemSources;

async function withSystem(sources: SummarySources, node: NodeFigures, now: number): Promise<NodeFigures> {
  const { nodeName, startTime, ...rest } = node, systemContainers = await systemFigures(sources, now);
  return { nodeName, ...(systemContainers.length > 0 ? { systemContainers } : {}), startTime, ...rest };
}

/** Processors and memory of the node and its pods. @param now ms @throws Error when they are not told */
export async function coreSummary(sources: SummarySources, now: number): Promise<Summary> {
  const [node, pods] = await Promise.all([coreFigures(sources, now), podFigures(sources, now)]);
  return { node: await withSystem(sources, node, now), pods };
}

/** All figures of the node and its pods. @param now ms @throws Error when they are not told */
export async function summaryOf(sources: SummarySources, now: number): Promise<Summary> {
  const node = await nodeFigures(sources, now);
  const root = await filesystemAt(sources.podLogsDir, millisTime(now)) ?? node.fs;
  const pods = await podFigures(sources, now, { root, images: node.runtime?.imageFs });
  return { node: await withSystem(sources, node, now), pods };
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** The page. */
export async function summaryPage(sources: SummarySources, now: number, query: URLSearchParams): Promise<Answer> {
  const summary = await (query.get("only_cpu_and_memory") === "true" ? coreSummary : summaryOf)(sources, now);
  return jsonAnswer(JSON.stringify(summary, (_, v) => typeof v === "bigint" ? rawJson(String(v)) : v));
}
