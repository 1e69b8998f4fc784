// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import { MODULE as admission_k8s_io_v1 } from "./admission.k8s.io_v1.ts";
import { MODULE as admission_k8s_io_v1beta1 } from "./admission.k8s.io_v1beta1.ts";
import { MODULE as admissionregistration_k8s_io_v1 } from "./admissionregistration.k8s.io_v1.ts";
import { MODULE as admissionregistration_k8s_io_v1alpha1 } from "./admissionregistration.k8s.io_v1alpha1.ts";
import { MODULE as admissionregistration_k8s_io_v1beta1 } from "./admissionregistration.k8s.io_v1beta1.ts";
import { MODULE as apidiscovery_k8s_io_v2 } from "./apidiscovery.k8s.io_v2.ts";
import { MODULE as apidiscovery_k8s_io_v2beta1 } from "./apidiscovery.k8s.io_v2beta1.ts";
import { MODULE as apiextensions_k8s_io_v1 } from "./apiextensions.k8s.io_v1.ts";
import { MODULE as apiextensions_k8s_io_v1beta1 } from "./apiextensions.k8s.io_v1beta1.ts";
import { MODULE as apiregistration_k8s_io_v1 } from "./apiregistration.k8s.io_v1.ts";
import { MODULE as apiregistration_k8s_io_v1beta1 } from "./apiregistration.k8s.io_v1beta1.ts";
import { MODULE as apiserver_config_k8s_io_v1 } from "./apiserver.config.k8s.io_v1.ts";
import { MODULE as apiserver_config_k8s_io_v1alpha1 } from "./apiserver.config.k8s.io_v1alpha1.ts";
import { MODULE as apiserver_config_k8s_io_v1beta1 } from "./apiserver.config.k8s.io_v1beta1.ts";
import { MODULE as apps_v1 } from "./apps_v1.ts";
import { MODULE as apps_v1beta1 } from "./apps_v1beta1.ts";
import { MODULE as apps_v1beta2 } from "./apps_v1beta2.ts";
import { MODULE as audit_k8s_io_v1 } from "./audit.k8s.io_v1.ts";
import { MODULE as authentication_k8s_io_v1 } from "./authentication.k8s.io_v1.ts";
import { MODULE as authentication_k8s_io_v1alpha1 } from "./authentication.k8s.io_v1alpha1.ts";
import { MODULE as authentication_k8s_io_v1beta1 } from "./authentication.k8s.io_v1beta1.ts";
import { MODULE as authorization_k8s_io_v1 } from "./authorization.k8s.io_v1.ts";
import { MODULE as authorization_k8s_io_v1beta1 } from "./authorization.k8s.io_v1beta1.ts";
import { MODULE as autoscaling_v1 } from "./autoscaling_v1.ts";
import { MODULE as autoscaling_v2 } from "./autoscaling_v2.ts";
import { MODULE as batch_v1 } from "./batch_v1.ts";
import { MODULE as batch_v1beta1 } from "./batch_v1beta1.ts";
import { MODULE as certificates_k8s_io_v1 } from "./certificates.k8s.io_v1.ts";
import { MODULE as certificates_k8s_io_v1alpha1 } from "./certificates.k8s.io_v1alpha1.ts";
import { MODULE as certificates_k8s_io_v1beta1 } from "./certificates.k8s.io_v1beta1.ts";
import { MODULE as componentbase_config_v1alpha1 } from "./componentbase_config_v1alpha1.ts";
import { MODULE as componentbase_logs_v1 } from "./componentbase_logs_v1.ts";
import { MODULE as componentbase_tracing_v1 } from "./componentbase_tracing_v1.ts";
import { MODULE as coordination_k8s_io_v1 } from "./coordination.k8s.io_v1.ts";
import { MODULE as coordination_k8s_io_v1alpha2 } from "./coordination.k8s.io_v1alpha2.ts";
import { MODULE as coordination_k8s_io_v1beta1 } from "./coordination.k8s.io_v1beta1.ts";
import { MODULE as core_v1 } from "./core_v1.ts";
import { MODULE as discovery_k8s_io_v1 } from "./discovery.k8s.io_v1.ts";
import { MODULE as discovery_k8s_io_v1beta1 } from "./discovery.k8s.io_v1beta1.ts";
import { MODULE as events_k8s_io_v1 } from "./events.k8s.io_v1.ts";
import { MODULE as events_k8s_io_v1beta1 } from "./events.k8s.io_v1beta1.ts";
import { MODULE as extensions_v1beta1 } from "./extensions_v1beta1.ts";
import { MODULE as flowcontrol_apiserver_k8s_io_v1 } from "./flowcontrol.apiserver.k8s.io_v1.ts";
import { MODULE as flowcontrol_apiserver_k8s_io_v1beta1 } from "./flowcontrol.apiserver.k8s.io_v1beta1.ts";
import { MODULE as flowcontrol_apiserver_k8s_io_v1beta2 } from "./flowcontrol.apiserver.k8s.io_v1beta2.ts";
import { MODULE as flowcontrol_apiserver_k8s_io_v1beta3 } from "./flowcontrol.apiserver.k8s.io_v1beta3.ts";
import { MODULE as imagepolicy_k8s_io_v1alpha1 } from "./imagepolicy.k8s.io_v1alpha1.ts";
import { MODULE as internal_apiserver_k8s_io_v1alpha1 } from "./internal.apiserver.k8s.io_v1alpha1.ts";
import { MODULE as intstr } from "./intstr.ts";
import { MODULE as kubelet_config_k8s_io_v1 } from "./kubelet.config.k8s.io_v1.ts";
import { MODULE as kubelet_config_k8s_io_v1alpha1 } from "./kubelet.config.k8s.io_v1alpha1.ts";
import { MODULE as kubelet_config_k8s_io_v1beta1 } from "./kubelet.config.k8s.io_v1beta1.ts";
import { MODULE as lifecycle_k8s_io_v1alpha1 } from "./lifecycle.k8s.io_v1alpha1.ts";
import { MODULE as meta_v1 } from "./meta_v1.ts";
import { MODULE as meta_v1beta1 } from "./meta_v1beta1.ts";
import { MODULE as networking_k8s_io_v1 } from "./networking.k8s.io_v1.ts";
import { MODULE as networking_k8s_io_v1beta1 } from "./networking.k8s.io_v1beta1.ts";
import { MODULE as node_k8s_io_v1 } from "./node.k8s.io_v1.ts";
import { MODULE as node_k8s_io_v1alpha1 } from "./node.k8s.io_v1alpha1.ts";
import { MODULE as node_k8s_io_v1beta1 } from "./node.k8s.io_v1beta1.ts";
import { MODULE as policy_v1 } from "./policy_v1.ts";
import { MODULE as policy_v1beta1 } from "./policy_v1beta1.ts";
import { MODULE as quantity } from "./quantity.ts";
import { MODULE as rbac_authorization_k8s_io_v1 } from "./rbac.authorization.k8s.io_v1.ts";
import { MODULE as rbac_authorization_k8s_io_v1alpha1 } from "./rbac.authorization.k8s.io_v1alpha1.ts";
import { MODULE as rbac_authorization_k8s_io_v1beta1 } from "./rbac.authorization.k8s.io_v1beta1.ts";
import { MODULE as resource_k8s_io_v1 } from "./resource.k8s.io_v1.ts";
import { MODULE as resource_k8s_io_v1alpha3 } from "./resource.k8s.io_v1alpha3.ts";
import { MODULE as resource_k8s_io_v1beta1 } from "./resource.k8s.io_v1beta1.ts";
import { MODULE as resource_k8s_io_v1beta2 } from "./resource.k8s.io_v1beta2.ts";
import { MODULE as runtime } from "./runtime.ts";
import { MODULE as scheduling_k8s_io_v1 } from "./scheduling.k8s.io_v1.ts";
import { MODULE as scheduling_k8s_io_v1alpha3 } from "./scheduling.k8s.io_v1alpha3.ts";
import { MODULE as scheduling_k8s_io_v1beta1 } from "./scheduling.k8s.io_v1beta1.ts";
import { MODULE as storage_k8s_io_v1 } from "./storage.k8s.io_v1.ts";
import { MODULE as storage_k8s_io_v1alpha1 } from "./storage.k8s.io_v1alpha1.ts";
import { MODULE as storage_k8s_io_v1beta1 } from "./storage.k8s.io_v1beta1.ts";
import { MODULE as storagemigration_k8s_io_v1 } from "./storagemigration.k8s.io_v1.ts";
import { MODULE as storagemigration_k8s_io_v1beta1 } from "./storagemigration.k8s.io_v1beta1.ts";

/** Every module of built-in descriptors. */
export const MODULES: readonly ApiModule[] = [
  admission_k8s_io_v1,
  admission_k8s_io_v1beta1,
  admissionregistration_k8s_io_v1,
  admissionregistration_k8s_io_v1alpha1,
  admissionregistration_k8s_io_v1beta1,
  apidiscovery_k8s_io_v2,
  apidiscovery_k8s_io_v2beta1,
  apiextensions_k8s_io_v1,
  apiextensions_k8s_io_v1beta1,
  apiregistration_k8s_io_v1,
  apiregistration_k8s_io_v1beta1,
  apiserver_config_k8s_io_v1,
  apiserver_config_k8s_io_v1alpha1,
  apiserver_config_k8s_io_v1beta1,
  apps_v1,
  apps_v1beta1,
  apps_v1beta2,
  audit_k8s_io_v1,
  authentication_k8s_io_v1,
  authentication_k8s_io_v1alpha1,
  authentication_k8s_io_v1beta1,
  authorization_k8s_io_v1,
  authorization_k8s_io_v1beta1,
  autoscaling_v1,
  autoscaling_v2,
  batch_v1,
  batch_v1beta1,
  certificates_k8s_io_v1,
  certificates_k8s_io_v1alpha1,
  certificates_k8s_io_v1beta1,
  componentbase_config_v1alpha1,
  componentbase_logs_v1,
  componentbase_tracing_v1,
  coordination_k8s_io_v1,
  coordination_k8s_io_v1alpha2,
  coordination_k8s_io_v1beta1,
  core_v1,
  discovery_k8s_io_v1,
  discovery_k8s_io_v1beta1,
  events_k8s_io_v1,
  events_k8s_io_v1beta1,
  extensions_v1beta1,
  flowcontrol_apiserver_k8s_io_v1,
  flowcontrol_apiserver_k8s_io_v1beta1,
  flowcontrol_apiserver_k8s_io_v1beta2,
  flowcontrol_apiserver_k8s_io_v1beta3,
  imagepolicy_k8s_io_v1alpha1,
  internal_apiserver_k8s_io_v1alpha1,
  intstr,
  kubelet_config_k8s_io_v1,
  kubelet_config_k8s_io_v1alpha1,
  kubelet_config_k8s_io_v1beta1,
  lifecycle_k8s_io_v1alpha1,
  meta_v1,
  meta_v1beta1,
  networking_k8s_io_v1,
  networking_k8s_io_v1beta1,
  node_k8s_io_v1,
  node_k8s_io_v1alpha1,
  node_k8s_io_v1beta1,
  policy_v1,
  policy_v1beta1,
  quantity,
  rbac_authorization_k8s_io_v1,
  rbac_authorization_k8s_io_v1alpha1,
  rbac_authorization_k8s_io_v1beta1,
  resource_k8s_io_v1,
  resource_k8s_io_v1alpha3,
  resource_k8s_io_v1beta1,
  resource_k8s_io_v1beta2,
  runtime,
  scheduling_k8s_io_v1,
  scheduling_k8s_io_v1alpha3,
  scheduling_k8s_io_v1beta1,
  storage_k8s_io_v1,
  storage_k8s_io_v1alpha1,
  storage_k8s_io_v1beta1,
  storagemigration_k8s_io_v1,
  storagemigration_k8s_io_v1beta1,
];
