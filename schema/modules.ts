/** All modules of descriptors: those of our own version, and of versions that only an emulated one has. */
import { MODULES as OWN } from "./api/index.ts";
import { MODULE as SCHEDULING, RESOURCES } from "./dropped/scheduling_v1alpha2.ts";
import type { ApiModule, ResourceRow } from "./model/table.ts";

/** Modules by no order that matters. */
export const MODULES: readonly ApiModule[] = [...OWN, SCHEDULING];

/** Resources of versions that our own has dropped whole. */
export const DROPPED: readonly ResourceRow[] = RESOURCES;
