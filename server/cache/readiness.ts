/** Readiness of a cache (specification, "Watch cache readiness"): a state, and what moves it. */

/** Where a cache stands. Only `ready` answers. */
export type Readiness =
  | { readonly state: "starting" }
  | { readonly state: "loading"; readonly attempt: number }
  | { readonly state: "ready"; readonly revision: number }
  | { readonly state: "broken"; readonly error: Error; readonly attempt: number }
  | { readonly state: "closed" };

/** What happens to a cache. */
export type ReadinessEvent =
  | { readonly type: "load" }
  | { readonly type: "loaded"; readonly revision: number }
  | { readonly type: "broke"; readonly error: Error }
  | { readonly type: "close" };

/** The state after an event. A closed cache stays closed. */
export function nextReadiness(now: Readiness, event: ReadinessEvent): Readiness {
  if (now.state === "closed") return now;
  switch (event.type) {
    case "load":
      return { state: "loading", attempt: "attempt" in now ? now.attempt + 1 : 1 };
    case "loaded":
      return { state: "ready", revision: event.revision };
    case "broke":
      return { state: "broken", error: event.error, attempt: "attempt" in now ? now.attempt : 0 };
    case "close":
      return { state: "closed" };
  }
}
