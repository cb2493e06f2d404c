// What all functions of an account share: so many instances may work at one moment.
import { LAMBDA } from '../aws/quotas.ts';

export type Account = ReturnType<typeof createAccount>;

export function createAccount(concurrencyMax: number = LAMBDA.concurrencyMax) {
  let running = 0;
  let peak = 0;
  return {
    concurrencyMax,
    /** False where the account's concurrency is used up. */
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
