/** Questions to the API server about users, asked again for a while when it does not answer. */
import { type Api, ApiError, type Clock } from "../../types.ts";

const TRIES = 5;
/** Pause before the second try, ms; each is half as long again as the one before. */
const FIRST_PAUSE_MS = 500;
const GROWTH = 1.5;
/** Of one try, ms. */
const TRY_MS = 10_000;

/** Creates a review. @throws ApiError, Error when no try was answered */
export async function review<T>({ api, clock }: { api: Api; clock: Clock }, path: string, body: object): Promise<T> {
  for (let tried = 1, pause = FIRST_PAUSE_MS;; tried++, pause *= GROWTH) {
    try {
      return await api.request<T>("POST", path, { body, signal: AbortSignal.timeout(TRY_MS) });
    } catch (e) {
      if (tried === TRIES || !mayPass(e)) throw e;
      await clock.wait(pause);
    }
  }
}

/** Whether the fault is one of the moment. */
const mayPass = (e: unknown): boolean => !(e instanceof ApiError) || e.code === 429 || e.code >= 500;
