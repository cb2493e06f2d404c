// Schedules of the template as timers. Guarantees: a run never overlaps the one before it of the same function; a turn that
// comes while one runs is left out, as the next one does its work.

export interface ScheduleParts {
  readonly intervalMs: number;
  /** True: the first run is now, not after the first interval. */
  readonly atOnce: boolean;
  readonly run: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

export interface RunningSchedule {
  /** No further run; resolves when the one in progress has ended. */
  stop(): Promise<void>;
}

export function startSchedule({ intervalMs, atOnce, run, onError }: ScheduleParts): RunningSchedule {
  let current: Promise<void> | undefined;
  const turn = (): void => {
    current ??= run()
      .then(() => undefined, onError)
      .finally(() => {
        current = undefined;
      });
  };
  const timer = setInterval(turn, intervalMs);
  if (atOnce) turn();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
