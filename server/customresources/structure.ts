/**
 * Whether a definition's schemas are structural, as a condition: of definitions from before that was asked for, which no
 * write lets in any more.
 */
import { structureFaults } from "../../schema/rules/apiextensions/structural.ts";
import { type Condition, type Definition, removeCondition, setCondition } from "./definition.ts";

const TYPE = "NonStructuralSchema";

/** Settles the condition in place: there is none when nothing is wrong. `now`: RFC 3339. */
export function settleStructure(d: Definition, now: string): void {
  const found = conditionFor(d);
  if (found) setCondition(d, found, now);
  else removeCondition(d, TYPE);
}

function conditionFor(d: Definition): Condition | undefined {
  // Where unknown fields are dropped, schemas had to be structural at all times.
  if (!d.spec.preserveUnknownFields) return undefined;
  const { unreadable, faults } = structureFaults(d.spec);
  if (unreadable) return { type: TYPE, status: "Unknown", reason: "StructuralError", message: unreadable };
  if (faults.empty) return undefined;
  const texts = faults.causes.map((c) => `${c.field}: ${c.message}`);
  const message = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
  return { type: TYPE, status: "True", reason: "Violations", message };
}
