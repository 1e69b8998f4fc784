/** Who was known and who was let in: requests counted as they are authenticated and authorized. */
import { Unauthenticated } from "../authentication/chain.ts";
import type { Authorizer, Decision } from "../authorization/types.ts";
import type { Connection, User } from "../request.ts";
import { Buckets, type Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
/** The same of how long certificates are good for: from the end on, by hours, days, weeks and months, to a year. */
const REMAINING = [0, 0.5, 1, 2, 6, 12, 24, 48, 96, 168, 720, 2160, 4320, 8640].map((hours) => hours * 3600);
/** Names that are told; all others are told by what they are like, of which there are few. */
const TOLD = new Set(["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"]);

type Times<Result extends string> = Readonly<Record<Result, Buckets>>;

/** See the top of the file. */
export class AccessMetrics {
  readonly #known: Times<"success" | "failure" | "error"> = timesOf("success", "failure", "error");
  readonly #allowed: Times<"allowed" | "denied" | "no-opinion" | "error"> = timesOf(
    "allowed",
    "denied",
    "no-opinion",
    "error",
  );
  readonly #users = new Map<string, number>();
  readonly #certificates = new Buckets(REMAINING);

  /** @param now the clock that both are timed by, ms */
  constructor(readonly now: () => number) {}

  /** The same, counted. */
  authenticating<Asking>(
    authenticate: (request: Asking, connection: Connection, path: string) => User | Promise<User>,
  ): typeof authenticate {
    return (request, connection, path) => {
      const start = this.now();
      try {
        const user = authenticate(request, connection, path);
        return user instanceof Promise ? this.#awaited(user, start) : this.#came(user, start);
      } catch (e) {
        throw this.#unknown(e, start);
      }
    };
  }

  async #awaited(coming: Promise<User>, start: number): Promise<User> {
    let user: User;
    try {
      user = await coming;
    } catch (e) {
      throw this.#unknown(e, start);
    }
    return this.#came(user, start);
  }

  #came(user: User, start: number): User {
    const { name } = user;
    const told = TOLD.has(name) ? name : name.includes("@") ? "email_id" : "other";
    this.#users.set(told, (this.#users.get(told) ?? 0) + 1);
    this.#known.success.add(this.#since(start));
    return user;
  }

  #unknown(e: unknown, start: number): unknown {
    this.#known[e instanceof Unauthenticated && !e.tried ? "failure" : "error"].add(this.#since(start));
    return e;
  }

  /** The same, counted. */
  authorizing(authorizer: Authorizer): Authorizer {
    return {
      name: authorizer.name,
      authorize: (attributes, asking) => {
        const start = this.now();
        try {
          const decision = authorizer.authorize(attributes, asking);
          return decision instanceof Promise ? this.#settled(decision, start) : this.#decided(decision, start);
        } catch (e) {
          this.#allowed.error.add(this.#since(start));
          throw e;
        }
      },
    };
  }

  async #settled(coming: Promise<Decision>, start: number): Promise<Decision> {
    let decision: Decision;
    try {
      decision = await coming;
    } catch (e) {
      this.#allowed.error.add(this.#since(start));
      throw e;
    }
    return this.#decided(decision, start);
  }

  #decided(decision: Decision, start: number): Decision {
    this.#allowed[resultOf(decision)].add(this.#since(start));
    return decision;
  }

  /** A request came with a certificate that is good for so many ms yet. */
  certificate(ms: number): void {
    this.#certificates.add(ms / 1000);
  }

  /** Seconds. */
  #since(start: number): number {
    return (this.now() - start) / 1000;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "authenticated_user_requests",
        help: "Requests of known users, by name where that is one of a few",
        type: "counter",
        samples: (metricName) =>
          [...this.#users].map(([username, value]) => ({ metricName, labels: { username }, value })),
      },
      {
        name: "apiserver_client_certificate_expiration_seconds",
        help: "How long certificates that requests came with were good for yet",
        type: "histogram",
        samples: (metric) => this.#certificates.samples(metric, {}),
      },
      { name: "authentication_attempts", help: "Authentications", type: "counter", samples: counts(this.#known) },
      {
        name: "authentication_duration_seconds",
        help: "Time of authentications",
        type: "histogram",
        samples: times(this.#known),
      },
      { name: "authorization_attempts_total", help: "Authorizations", type: "counter", samples: counts(this.#allowed) },
      {
        name: "authorization_duration_seconds",
        help: "Time of authorizations",
        type: "histogram",
        samples: times(this.#allowed),
      },
    ];
  }
}

function timesOf<Result extends string>(...results: readonly Result[]): Times<Result> {
  return Object.fromEntries(results.map((result) => [result, new Buckets(SECONDS)])) as Times<Result>;
}

function resultOf({ decision, error }: Decision): "allowed" | "denied" | "no-opinion" | "error" {
  if (decision === "allow") return "allowed";
  return error ? "error" : decision === "deny" ? "denied" : decision;
}

const seen = <Result extends string>(all: Times<Result>) =>
  Object.entries<Buckets>(all).filter(([, buckets]) => buckets.count > 0);

const counts = <Result extends string>(all: Times<Result>) => (metricName: string): Sample[] =>
  seen(all).map(([result, { count: value }]) => ({ metricName, labels: { result }, value }));

const times = <Result extends string>(all: Times<Result>) => (metric: string): Sample[] =>
  seen(all).flatMap(([result, buckets]) => buckets.samples(metric, { result }));
