// One instance of a function: a share of a core that everything it does competes for, and calls that answer after a while.
// Guarantees: CPU is spent one piece after another; an instance that was killed hears nothing any more.
import { DURATIONS } from '../aws/durations.ts';
import type { Scheduler } from '../scheduler.ts';

export interface Instance {
  /** Of its function, e.g. `normalize`. */
  readonly name: string;
  /** Uses CPU of a whole core, milliseconds; answers when it will be done with it. */
  spend(cpuMs: number): number;
  /**
   * Sends a request, which costs CPU, and has its answer after about `latencyMs`. `perform` is what it does there; `rows` is
   * what the function has to work on.
   */
  call<T>(latencyMs: number, perform: () => { readonly answer: T; readonly rows: number }): Promise<T>;
  pause(delayMs: number): Promise<void>;
  /** When all the CPU spent so far is done. */
  idleAtMs(): number;
  kill(): void;
}

export interface InstanceOptions {
  readonly name: string;
  readonly memoryMb: number;
  readonly scheduler: Scheduler;
  /** [0, 1). */
  readonly random: () => number;
}

export function createInstance({ name, memoryMb, scheduler, random }: InstanceOptions): Instance {
  let alive = true;
  let freeAtMs = scheduler.now();
  const spend = (cpuMs: number): number => {
    freeAtMs = Math.max(freeAtMs, scheduler.now()) + (cpuMs * DURATIONS.coreMb) / memoryMb;
    return freeAtMs;
  };
  const spread = (latencyMs: number): number =>
    latencyMs + (random() * 2 - 1) * Math.min(DURATIONS.awsCallSpreadMs, latencyMs);
  return {
    name,
    spend,
    call: (latencyMs, perform) =>
      new Promise((resolve, reject) => {
        const leavesAtMs = spend(DURATIONS.sdkCallCpuMs);
        scheduler.at(leavesAtMs + spread(latencyMs), () => {
          if (!alive) return;
          try {
            const { answer, rows } = perform();
            spend(rows * DURATIONS.rowCpuMs);
            resolve(answer);
          } catch (error) {
            reject(error);
          }
        });
      }),
    pause: (delayMs) =>
      new Promise((resolve) =>
        scheduler.after(delayMs, () => {
          if (alive) resolve();
        }),
      ),
    idleAtMs: () => Math.max(freeAtMs, scheduler.now()),
    kill: () => {
      alive = false;
    },
  };
}
