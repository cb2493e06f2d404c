// What a recount found, of one message or summed over many.
import type { FigureDifference } from '#lib/events/domain/analytics/difference.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';

export interface ReconcileReport {
  readonly merchants: number;
  /** Figures of minutes that were done, and are wrong: 0 is the only good number. */
  readonly drift: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** Minutes that differ while they are still due: their rows move, and they are counted again. */
  readonly late: number;
  /** Unfinished rows that no due time covered and whose slot was not due either. */
  readonly redriven: number;
  /** Orders that were credited otherwise than what is known of their persons by now. */
  readonly settled: number;
  /** Merchants, or parts of their hour, that could not be recounted. */
  readonly failed: number;
  /** Days of merchants whose personal data ended now. */
  readonly erasedDays: number;
  readonly failedErasures: number;
  /** Merchants whose old rows could not be moved into pages. */
  readonly failedArchives: number;
}

export interface Difference extends FigureDifference {
  readonly merchantId: string;
  readonly grain: BucketKey['grain'];
  readonly startMs: number;
  readonly shard?: number;
}

const DIFFERENCES_MAX = 10;

export function sumReports(parts: readonly Partial<ReconcileReport>[]): ReconcileReport {
  const sum = (figure: Exclude<keyof ReconcileReport, 'differences'>): number =>
    parts.reduce((total, part) => total + (part[figure] ?? 0), 0);
  return {
    merchants: sum('merchants'),
    drift: sum('drift'),
    differences: parts.flatMap(({ differences = [] }) => differences).slice(0, DIFFERENCES_MAX),
    late: sum('late'),
    redriven: sum('redriven'),
    settled: sum('settled'),
    failed: sum('failed'),
    erasedDays: sum('erasedDays'),
    failedErasures: sum('failedErasures'),
    failedArchives: sum('failedArchives'),
  };
}
