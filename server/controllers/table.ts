/** Embedded controllers, in the order in which they start. */
import { apiAvailability } from "./api_availability.ts";
import { apiRegistration } from "./api_registration.ts";
import { authenticationTrust } from "./authentication_trust.ts";
import { firstContent } from "./first_content.ts";
import { flowSchemaStatus } from "./flow_schema_status.ts";
import { garbageCollector } from "./garbage/collector.ts";
import { apiEndpoints } from "./api_endpoints.ts";
import { identityLease } from "./identity_lease.ts";
import { leaderElection } from "./leader_election.ts";
import { namespaceController } from "./namespace.ts";
import { policyStatus } from "./policy_status.ts";
import { quotaController } from "./quota.ts";
import { roleAggregation } from "./role_aggregation.ts";
import { rootCaPublisher, serviceAccountController } from "./service_accounts.ts";
import { serviceRepair } from "./service_repair.ts";
import { storageVersionCollector } from "./storage_version_gc.ts";
import { storageProtection } from "./storage_protection.ts";
import type { ControllerRow } from "./types.ts";

/** See the top of the file. */
export const CONTROLLERS: readonly ControllerRow[] = [
  {
    name: "namespace",
    summary: "Empties namespaces that are being deleted, and lets them go",
    onByDefault: true,
    make: namespaceController,
  },
  {
    name: "garbage-collector",
    summary: "Deletes objects whose owners are gone",
    onByDefault: true,
    make: garbageCollector,
  },
  {
    name: "serviceaccount",
    summary: "Gives every namespace a service account named default",
    onByDefault: true,
    make: serviceAccountController,
  },
  {
    name: "root-ca-publisher",
    summary: "Gives every namespace the authorities of this server's certificate",
    onByDefault: true,
    make: rootCaPublisher,
  },
  {
    name: "resourcequota",
    summary: "Counts what quotas bound, and says so in their status",
    onByDefault: true,
    make: quotaController,
  },
  {
    name: "clusterrole-aggregation",
    summary: "Fills aggregated cluster roles with the rules of the roles that they select",
    onByDefault: true,
    make: roleAggregation,
  },
  {
    name: "storage-protection",
    summary: "Lets go claims, volumes and attribute classes that are being deleted, once nothing uses them",
    onByDefault: true,
    make: storageProtection,
  },
  {
    name: "validatingadmissionpolicy-status",
    summary: "Says in the status of validating policies which of their expressions do not fit the kinds that they name",
    onByDefault: true,
    make: policyStatus,
  },
  {
    name: "first-content",
    summary: "Makes system namespaces, the API's own service and its range, priority levels and flow schemas again " +
      "when they are deleted",
    onByDefault: true,
    make: firstContent,
  },
  {
    name: "service-allocation-repair",
    summary: "Holds again what services have of addresses and node ports, and lets go what none has",
    onByDefault: true,
    make: serviceRepair,
  },
  {
    name: "apiservice-registration",
    summary: "Gives every served group version of custom resources its APIService",
    onByDefault: true,
    make: apiRegistration,
  },
  {
    name: "apiservice-availability",
    summary: "Tells of every APIService whether its extension server can be asked",
    onByDefault: true,
    make: apiAvailability,
  },
  {
    name: "authentication-trust",
    summary: "Keeps the ConfigMap by which extension servers learn whom to trust",
    onByDefault: true,
    make: authenticationTrust,
  },
  {
    name: "flow-schema-status",
    summary: "Tells of flow schemas whether the priority level that they name exists",
    onByDefault: true,
    make: flowSchemaStatus,
  },
  {
    name: "api-endpoints",
    summary: "Keeps the addresses of all servers of the store in the endpoints of the API's own service",
    onByDefault: true,
    make: apiEndpoints,
  },
  {
    name: "identity-lease",
    summary: "Renews this server's identity lease and collects those of servers that are gone",
    onByDefault: true,
    make: identityLease,
  },
  {
    name: "leader-election-controller",
    summary:
      "Elects among the candidates for leases, where coordinated leader election is on; one server of a store does",
    onByDefault: true,
    make: leaderElection,
  },
  {
    name: "storage-version-garbage-collector",
    summary: "Takes servers that are gone out of storage versions, where their gate is on",
    onByDefault: true,
    make: storageVersionCollector,
  },
];
