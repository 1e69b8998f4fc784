/** Options of images. */

/** How images are pulled. */
export interface PullOptions {
  /** One at a time. */
  readonly serializeImagePulls: boolean;
  /** So many at a time where not one; 0: no limit. */
  readonly maxParallelImagePulls: number;
  /** Pulls a second, and at once; 0 a second: no limit. */
  readonly registryQps: number;
  readonly registryBurst: number;
  /** Both empty: no plugins. */
  readonly imageCredentialProviderConfig: string;
  readonly imageCredentialProviderBinDir: string;
  /** When a pod must show credentials for an image that is there. */
  readonly imagePullCredentialsVerificationPolicy: string;
  /** Repositories, or `prefix/*`. */
  readonly preloadedImagesVerificationAllowlist: readonly string[];
  readonly rootDir: string;
}

/** When images are taken away that nobody uses. */
export interface CollectOptions {
  /** Percent of the disk in use at which it begins, and to which it goes; 100: not for want of space. */
  readonly imageGcHighThreshold: number;
  readonly imageGcLowThreshold: number;
  /** Younger ones stay, ms. */
  readonly minimumImageTtlDuration: number;
  /** What was not used for so long goes, ms; 0: never. */
  readonly imageMaximumGCAge: number;
}
