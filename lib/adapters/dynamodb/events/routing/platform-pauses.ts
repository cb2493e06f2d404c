// Platforms that an operator keeps back for all merchants, in one item of the config table: who may read routings may read it.
//   pk ROUTING#all   sk PAUSES   v version   platforms the last pause of each
// Guarantees: of operators who change it at the same time each finds what the other did.
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  type PlatformPause,
  pauseOf,
  STORED_PLATFORM_PAUSE,
} from '#lib/events/domain/connections/paused-platform.ts';
import type { PlatformPauseStore } from '#lib/events/ports/connection-store.ts';
import { type Db, ifVersion, putItem, readItem } from '../../core/items/commands.ts';

const KEY = { pk: 'ROUTING#all', sk: 'PAUSES' };
const schema = z.looseObject({ v: z.number(), platforms: z.array(STORED_PLATFORM_PAUSE) });
type Pauses = z.output<typeof schema>;
export const PLATFORM_PAUSES = defineKind<Pauses>({
  what: 'paused platforms',
  table: 'config',
  key: KEY,
  attribute: null,
  schema,
  personal: ['platforms'],
  whenUnreadable: 'wait',
  meaning: 'All deliveries wait until it can be read.',
});

export function createPlatformPauseStore(db: Db, table: string): PlatformPauseStore {
  const config = { db, table };
  const read = async (): Promise<Pauses> =>
    (await readItem(config, KEY, PLATFORM_PAUSES)) ?? { v: 0, platforms: [] };
  const written = ({ v, ...rest }: Pauses): Promise<boolean> =>
    putItem(config, { ...KEY, ...formatAttribute(PLATFORM_PAUSES), ...rest, v: v + 1 }, ifVersion(v));
  const what = 'the pause of a platform';
  return {
    platformPauses: async () => (await read()).platforms,

    pausePlatform: (pause) =>
      retryConflicts({ what }, async () => {
        const now = await read();
        const known = pauseOf(now.platforms, pause.platform);
        if (known !== undefined) return { pause: known, isNew: false };
        return (await written(withLast(now, pause))) ? { pause, isNew: true } : CONFLICT;
      }),

    resumePlatform: (slug, atMs, by) =>
      retryConflicts({ what }, async () => {
        const now = await read();
        const known = pauseOf(now.platforms, slug);
        if (known === undefined) return null;
        const pause = { ...known, endedAtMs: atMs, endedBy: by };
        return (await written(withLast(now, pause))) ? pause : CONFLICT;
      }),
  };
}

const withLast = (now: Pauses, pause: PlatformPause): Pauses => ({
  ...now,
  platforms: [...now.platforms.filter(({ platform }) => platform !== pause.platform), pause],
});
