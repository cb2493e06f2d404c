// How work is timed: every variant is warmed up, then all take turns in rounds, and the median round counts. What else the
// machine does then falls on all of them alike; trust the ratios, never times of two runs.

import { sized } from './result.ts';

/** Runs the work `count` times. */
export type Work = (count: number) => void | Promise<void>;

export interface Figures {
  /** Operations a second, by the wall clock. */
  readonly perSec: number;
  /** Microseconds of CPU (user and system, whole process) for one operation. */
  readonly cpuUs: number;
}

/** Operations a second of CPU: what one core can do, whatever else the machine is doing. */
export const perCore = ({ cpuUs }: Figures): number => 1e6 / cpuUs;

export interface RoundsOptions {
  readonly rounds?: number;
  /** CPU time of one variant's turn, milliseconds: a busy machine makes it longer, not smaller. */
  readonly turnMs?: number;
}

/** Figures by variant. */
export async function inRounds<Name extends string>(
  variants: Readonly<Record<Name, Work>>,
  { rounds = sized(7, 1), turnMs = sized(150, 10) }: RoundsOptions = {},
): Promise<Record<Name, Figures>> {
  const names = Object.keys(variants) as Name[];
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, await calibrated(variants[name], turnMs));
  const turns = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const count = counts.get(name) ?? 1;
      turns.get(name)?.push(await timed(variants[name], count));
    }
  return Object.fromEntries(
    names.map((name) => {
      const figures = turns.get(name) ?? [];
      return [
        name,
        { perSec: median(figures.map((f) => f.perSec)), cpuUs: median(figures.map((f) => f.cpuUs)) },
      ];
    }),
  ) as Record<Name, Figures>;
}

/** The count that fills a turn, found by doubling: that is the warm-up as well. */
async function calibrated(work: Work, turnMs: number): Promise<number> {
  for (let count = 1; ; count *= 2) {
    const { cpuUs } = await timed(work, count);
    const spentMs = (cpuUs * count) / 1_000;
    if (spentMs >= turnMs) return Math.max(1, Math.round((count * turnMs) / spentMs));
  }
}

async function timed(work: Work, count: number): Promise<Figures> {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work(count);
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { perSec: (count * 1_000) / elapsedMs, cpuUs: (user + system) / count };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the others lies; 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
