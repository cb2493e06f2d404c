// What an invocation of fan-out has for each place at a platform.
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import type { EventKey } from '#lib/events/domain/event/row.ts';

export interface Pointed {
  readonly rows: readonly EventKey[];
  readonly batches: readonly BatchKey[];
}

export interface PlatformPointers {
  /** Rows and batches that no worker can have sent before. */
  readonly first: Pointed;
  readonly again: Pointed;
}

/** By place (target.ts). */
export type ByPlatform = ReadonlyMap<string, PlatformPointers>;
