/** Custom kinds: structural schemas, and what they do to objects. Pure. */
export { validateDefaultRules, validateRules } from "./cel_check.ts";
export { hasRules, isBlind, type RuleCost, ruleCosts, type RuleFault, ruleFaults } from "./cel_rules.ts";
export { converting } from "./conversions.ts";
export { applyDefaults } from "./defaults.ts";
export { validateEmbedded } from "./embedded.ts";
export { customKind, type CustomVersion, settle } from "./kind.ts";
export { validateLists } from "./lists.ts";
export { kindMessage } from "./message.ts";
export { stepsOf, valueAt, withValueAt } from "./paths.ts";
export { prune } from "./prune.ts";
export { anywhere, type Rule, type Schema } from "./schema.ts";
export { type Before, validateSchema } from "./validate.ts";
