/** Where logs of the host are: a directory, and the command that tells of its journal. */
export interface LogPlaces {
  /** `/var/log` */
  readonly root: string;
  /** `journalctl` */
  readonly journalctl: string;
}
