// Ctrl-C. Guarantees: the first one closes in order, a second one exits at once. Npm forwards a Ctrl-C to its child
// although the terminal already sent it: two within half a second count as one.
import closeWithGrace from 'close-with-grace';

export interface StopParts {
  readonly close: () => Promise<void>;
  readonly onStop: () => void;
  /** An uncaught error; the process closes and exits with 1. */
  readonly onCrash: (error: unknown) => void;
}

const CLOSE_MAX_MS = 10_000;
const SAME_PRESS_MS = 500;
/** 128 + SIGINT, as shells count. */
const EXIT_INTERRUPTED = 130;

export function stopOnSignals({ close, onStop, onCrash }: StopParts): void {
  const grace = closeWithGrace(
    { delay: CLOSE_MAX_MS, logger: false, skip: ['SIGINT', 'SIGTERM'] },
    async ({ err }) => {
      if (err !== undefined) onCrash(err);
      await close();
    },
  );
  let firstMs: number | undefined;
  const stop = (): void => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      onStop();
      grace.close();
    } else if (nowMs - firstMs > SAME_PRESS_MS) {
      process.exit(EXIT_INTERRUPTED);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
