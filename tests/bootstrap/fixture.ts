/** Input of the bootstrap tests: one service range, documentation addresses. */
import type { Product } from "../../schema/product.ts";
import type { BootstrapInput } from "../../server/bootstrap/objects.ts";

export function input(product: Product, gate: (name: string) => boolean = () => false): BootstrapInput {
  return {
    product,
    gate,
    byRbac: true,
    serviceRanges: ["10.0.0.0/24"],
    serviceIps: ["10.0.0.1"],
    advertiseIp: "192.0.2.7",
    peerAddress: "192.0.2.7:6443",
    port: 6443,
    hostname: "host.example",
    processId: "9f0c9a3e-0000-4000-8000-000000000001",
    clientCa: "CA PEM",
    now: Date.parse("2026-11-21T10:00:00Z"),
  };
}
