// One function: instances that are made when all are busy, each working on one event at a time, killed when an event takes
// longer than the timeout. Guarantees: the account's concurrency, instances added per ten seconds, and requests a second for
// each unit of concurrency, as AWS has them; who is refused is told at once.
import { DURATIONS } from '../aws/durations.ts';
import { LAMBDA } from '../aws/quotas.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Usage } from '../usage.ts';
import type { Account } from './account.ts';
import { createInstance, type Instance } from './instance.ts';

export type Handler = (event: unknown) => Promise<unknown>;

export interface FunctionOptions {
  readonly name: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  /** Concurrency that is kept for it, and that it cannot exceed. */
  readonly reserved?: number;
  /** The function as an instance runs it, wired to that instance. */
  readonly start: (instance: Instance) => Promise<Handler>;
  readonly scheduler: Scheduler;
  readonly account: Account;
  readonly usage: Usage;
  readonly random: () => number;
}

export interface Outcome {
  readonly result?: unknown;
  /** Threw, or was killed. */
  readonly failed: boolean;
}

export type LambdaFunction = ReturnType<typeof createFunction>;

const SCALING_WINDOW_MS = 10_000;

interface Warm {
  readonly instance: Instance;
  readonly handler: Promise<Handler>;
}

export function createFunction(options: FunctionOptions) {
  const { name, memoryMb, timeoutMs, scheduler, account, usage } = options;
  const idle: Warm[] = [];
  const running = new Map<number, { readonly startedMs: number; readonly kill: () => void }>();
  const made: number[] = [];
  let invocations = 0;
  let longestMs = 0;
  let timeouts = 0;
  let throttled = 0;
  let concurrencyPeak = 0;
  let requests = { second: 0, count: 0 };
  let requestsPeak = 0;

  const mayServe = (): boolean => {
    const second = Math.floor(scheduler.now() / 1_000);
    if (requests.second !== second) requests = { second, count: 0 };
    const units = options.reserved ?? account.concurrencyMax;
    return requests.count < units * LAMBDA.requestsPerConcurrency;
  };
  const mayGrow = (): boolean => {
    while (made.length > 0 && (made[0] ?? 0) <= scheduler.now() - SCALING_WINDOW_MS) made.shift();
    return (
      made.length < LAMBDA.instancesPerTenSec &&
      (options.reserved === undefined || running.size < options.reserved)
    );
  };
  const grow = (): Warm => {
    made.push(scheduler.now());
    const instance = createInstance({ name, memoryMb, scheduler, random: options.random });
    const started = scheduler.pause(DURATIONS.coldStartMs).then(() => options.start(instance));
    return { instance, handler: started };
  };
  const work = ({ instance, handler }: Warm, event: unknown, done: (outcome: Outcome) => void): void => {
    invocations += 1;
    const id = invocations;
    const startedMs = scheduler.now();
    const end = (outcome: Outcome, tookMs: number): void => {
      if (!running.delete(id)) return;
      account.leave();
      longestMs = Math.max(longestMs, tookMs);
      const own = usage.of(name);
      own.invocations += 1;
      own.billedMs += tookMs + DURATIONS.overheadMs;
      done(outcome);
    };
    running.set(id, {
      startedMs,
      kill: () => {
        instance.kill();
        timeouts += 1;
        end({ failed: true }, timeoutMs);
      },
    });
    concurrencyPeak = Math.max(concurrencyPeak, running.size);
    const finish = (outcome: Outcome): void => {
      // What it computed last is a part of the work.
      scheduler.at(instance.idleAtMs(), () => {
        if (!running.has(id)) return;
        idle.push({ instance, handler });
        end(outcome, scheduler.now() - startedMs);
      });
    };
    handler
      .then((handle) => handle(event))
      .then(
        (result) => finish({ result, failed: false }),
        () => finish({ failed: true }),
      );
  };
  watch(scheduler, () => {
    for (const { startedMs, kill } of [...running.values()]) {
      if (scheduler.now() - startedMs < timeoutMs) break;
      kill();
    }
  });
  return {
    name,
    timeoutMs,
    memoryMb,
    /** False where it is throttled: then `done` is never called. */
    invoke(event: unknown, done: (outcome: Outcome) => void) {
      const warm = mayServe() ? (idle.pop() ?? (mayGrow() ? null : undefined)) : undefined;
      if (warm === undefined || !account.enter()) {
        if (warm !== undefined && warm !== null) idle.push(warm);
        throttled += 1;
        return false;
      }
      requests.count += 1;
      requestsPeak = Math.max(requestsPeak, requests.count);
      work(warm ?? grow(), event, done);
      return true;
    },
    report: () => ({
      name,
      timeoutMs,
      memoryMb,
      /** The longest unit of work, milliseconds. One that was killed counts with its timeout. */
      longestMs,
      timeouts,
      throttled,
      concurrencyPeak,
      /** In its busiest second. */
      requestsPeak,
      running: running.size,
    }),
  };
}

const WATCH_MS = 250;

function watch(scheduler: Scheduler, look: () => void): void {
  scheduler.after(WATCH_MS, () => {
    look();
    watch(scheduler, look);
  });
}
