export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Random {
  /** [0, 1). */
  next(): number;
  /** UUIDv7 whose time part is `nowMs`. */
  uuidv7(nowMs: number): string;
}
