/** Custom kinds: structural schemas, and what they do to objects. Pure. */
export { validateDefaultRules, validateRules } from "./cel_check.ts";
export { hasRules, isBlind, type RuleCost, ruleCosts, type RuleFault, ruleFaults } from "./cel_rules.ts";
export { converting } from "./conversions.ts";
export { validateEmbedded } from "./embedded.ts";
export { customKind } from "./kind.ts";
export { validateLists } from "./lists.ts";
export { stepsOf, valueAt, withValueAt } from "./paths.ts";
export type { Schema } from "./schema.ts";
export { validateSchema } from "./validate.ts";
