// Leases of long work that continues from message to message: of many messages that ask for the same work, one run does
// it.

export interface RunStep {
  /** Random text. */
  readonly holder: string;
  /** 0 begins a run; each later step is taken once, by the worker that has the message of the previous step. */
  readonly hop: number;
}

export interface RunLeases {
  /**
   * True if the step may be done: it begins a run and no lease holds at `nowMs`, or it follows the holder's last step.
   * The lease then lasts until `untilMs`; after that a run that crashed can begin again.
   */
  take(id: string, step: RunStep, nowMs: number, untilMs: number): Promise<boolean>;
}
