// What all functions of an account share: so many instances may work at one moment.
import { LAMBDA } from '../aws/quotas.ts';

export interface Account {
  /** False where the account's concurrency is used up. */
  enter(): boolean;
  leave(): void;
  running(): number;
  peak(): number;
  readonly concurrencyMax: number;
}

export function createAccount(concurrencyMax: number = LAMBDA.concurrencyMax): Account {
  let running = 0;
  let peak = 0;
  return {
    concurrencyMax,
    enter() {
      if (running >= concurrencyMax) return false;
      running += 1;
      peak = Math.max(peak, running);
      return true;
    },
    leave: () => {
      running -= 1;
    },
    running: () => running,
    peak: () => peak,
  };
}
