/** Leases, in words. */
export const COORDINATION = `
Lease: A claim that one holder keeps by renewing it. Components use it to choose a leader, and node agents to show that
    their node is alive. The API server only stores it; those who share it must follow the rules.
  spec: Who holds the lease, for how long, and when it was last renewed.
LeaseCandidate: Puts a process up for the holding of a lease, so that the control plane can choose the best leader among
    all candidates.
  spec: For which lease the candidate stands, its version and the way to choose.
LeaseCandidateSpec: For which lease a candidate stands, and what is known of it.
  leaseName: Name of the lease. Cannot be changed. Several candidates may stand for the same lease.
  pingTime: When the control plane last asked for a sign of life, as it does during an election. The candidate answers
    by setting renewTime.
  renewTime: When the candidate last showed a sign of life. One that stays silent for long is deleted in the end.
  binaryVersion: Version of the program, such as 1.37.0, without a leading v. Not below emulationVersion.
  emulationVersion: Version as which the program behaves, such as 1.36.0, without a leading v. Needed with strategy
    OldestEmulationVersion.
  strategy: How the leader is chosen. OldestEmulationVersion takes the lowest emulationVersion, then the lowest
    binaryVersion, then the oldest candidate. If candidates differ, the highest binaryVersion decides; in a tie nobody
    is chosen.
LeaseSpec: Who holds a lease and until when.
  holderIdentity: Who holds the lease now. In an election by the control plane it is the name of the chosen
    LeaseCandidate.
  leaseDurationSeconds: How many seconds after renewTime others may take the lease over. At least 1.
  acquireTime: When the holder of now took the lease.
  renewTime: When the holder last renewed the lease. It must be renewed before leaseDurationSeconds have passed.
  leaseTransitions: How often the lease has gone from one holder to another. Not below 0.
  strategy: How the control plane chooses the holder, such as OldestEmulationVersion. Without it the holders settle that
    among themselves. Stands behind the gate CoordinatedLeaderElection.
  preferredHolder: A better holder than the present one, who should therefore give up the lease. Only allowed along with
    strategy. Stands behind the gate CoordinatedLeaderElection.
`;
