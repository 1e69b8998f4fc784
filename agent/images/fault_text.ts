/** What went wrong with an image, in the public words. */
import { faultText } from "../runtime/fault_text.ts";
import { RuntimeError } from "../runtime/types.ts";
import type { ImageFaultReason } from "../types.ts";

/** An error of a pull: a code that says nothing is left out. */
export function pullFaultText(error: unknown): string {
  return error instanceof RuntimeError && error.code === "Unknown" ? error.message : faultText(error);
}

/** Faults that runtimes name themselves, and what they mean. */
const NAMED = [
  ["RegistryUnavailable", "the registry is unavailable"],
  ["SignatureValidationFailed", "the signature validation failed"],
] as const;

/** Reason and message of a pull that failed. */
export function pullFault(image: string, text: string): { reason: ImageFaultReason; message: string } {
  const [reason, means] = NAMED.find(([name]) => text.startsWith(name)) ?? [];
  if (!reason) return { reason: "ErrImagePull", message: text };
  return { reason, message: `image pull failed for ${image} because ${means}${text.slice(reason.length)}` };
}
