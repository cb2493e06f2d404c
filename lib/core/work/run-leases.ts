// Leases of long work that goes on from message to message: of many messages that ask for the same work, one run does it.

export interface RunStep {
  /** Random text. */
  readonly holder: string;
  /** 0 begins a run; each later step is taken once, by whoever has the message of the step before. */
  readonly hop: number;
}

export interface RunLeases {
  /**
   * True where the step may be done: it begins a run and nobody holds the lease at `nowMs`, or it follows the holder's last
   * one. The lease then lasts until `untilMs`: a run that dies is begun anew after it.
   */
  take(id: string, step: RunStep, nowMs: number, untilMs: number): Promise<boolean>;
}
