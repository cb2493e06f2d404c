// A stage that works its messages side by side. Guarantees: one that fails is reported, comes again, and keeps no other from its end.
import type { BatchResult, Received } from '../../core/ports/queue.ts';
import { inParallel } from './in-parallel.ts';

export type Stage<Body> = (messages: readonly Received<Body>[]) => Promise<BatchResult>;

/** `problem`: as the failure of a message is reported. */
export const messageStage =
  <Body>(
    width: number,
    work: (body: Body) => Promise<void>,
    problem: string,
    { report }: { readonly report: (problem: string, error: unknown) => void },
  ): Stage<Body> =>
  async (messages) => {
    const failedIndexes: number[] = [];
    await inParallel(messages, width, async ({ body }, index) => {
      try {
        await work(body);
      } catch (error) {
        failedIndexes.push(index);
        report(problem, error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
