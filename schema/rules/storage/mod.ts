/** Rules of the storage group. */
import type { RulesTable } from "../tables.ts";
import { CSI_DRIVER } from "./csi_driver.ts";
import { CSI_NODE } from "./csi_node.ts";
import { CSI_STORAGE_CAPACITY } from "./csi_storage_capacity.ts";
import { STORAGE_CLASS } from "./storage_class.ts";
import { VOLUME_ATTACHMENT } from "./volume_attachment.ts";
import { VOLUME_ATTRIBUTES_CLASS } from "./volume_attributes_class.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "csidrivers.storage.k8s.io": CSI_DRIVER,
  "csinodes.storage.k8s.io": CSI_NODE,
  "csistoragecapacities.storage.k8s.io": CSI_STORAGE_CAPACITY,
  "storageclasses.storage.k8s.io": STORAGE_CLASS,
  "volumeattachments.storage.k8s.io": VOLUME_ATTACHMENT,
  "volumeattributesclasses.storage.k8s.io": VOLUME_ATTRIBUTES_CLASS,
};
