// All that the API shows of a merchant, as files of lines: events by the UTC hour in which they were received, and the rest.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client } from '#lib/client/client.ts';
import { DAY_MS, HOUR_MS } from '#lib/core/work/time-slot.ts';

/** What was received within it may not be listed yet. */
export const SETTLED_AFTER_MS = 300_000;

export interface ExportFile {
  readonly name: string;
  readonly lines: AsyncIterable<unknown>;
  /** False: there may be more of it later. */
  readonly isFinal: boolean;
}

/** A limit of the API is waited for, however long. */
export async function patient<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429 && error.retryAfterSec !== null)) throw error;
      await pause(error.retryAfterSec * 1_000);
    }
}

/** Of pages that a cursor leads through. */
async function* paged<T>(
  page: (cursor: {
    readonly cursor?: string;
  }) => Promise<{ readonly rows: readonly T[]; readonly next: string | null }>,
): AsyncGenerator<T> {
  let cursor: string | null | undefined;
  do {
    const { rows, next } = await patient(() => page(cursor == null ? {} : { cursor }));
    yield* rows;
    cursor = next;
  } while (cursor !== null);
}

const eventsOf = (client: Client, fromMs: number, toMs: number, limit = 100) =>
  paged(async (cursor) => {
    const span = { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() };
    const { body } = await client.listEvents({
      query: { ...span, limit: String(limit), orderDirection: 'asc', ...cursor },
    });
    return { rows: body.events, next: limit === 1 ? null : body.next_cursor };
  });

/** Hours without events have no file. `isDone`: by name. */
export async function* eventFiles(
  client: Client,
  range: { readonly fromMs: number; readonly toMs: number; readonly nowMs: number },
  isDone: (name: string) => boolean,
): AsyncGenerator<ExportFile> {
  const settledMs = range.nowMs - SETTLED_AFTER_MS;
  for (let dayMs = range.fromMs - (range.fromMs % DAY_MS); dayMs < range.toMs; dayMs += DAY_MS) {
    if (await isEmpty(eventsOf(client, dayMs, dayMs + DAY_MS, 1))) continue;
    for (let atMs = dayMs; atMs < Math.min(dayMs + DAY_MS, range.toMs); atMs += HOUR_MS) {
      const name = `events/${new Date(atMs).toISOString().slice(0, 13)}.ndjson`;
      if (isDone(name) || (await isEmpty(eventsOf(client, atMs, atMs + HOUR_MS, 1)))) continue;
      yield { name, lines: eventsOf(client, atMs, atMs + HOUR_MS), isFinal: atMs + HOUR_MS <= settledMs };
    }
  }
}

async function isEmpty(rows: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of rows) return false;
  return true;
}

/** Written anew each time. */
export function restFiles(client: Client): readonly ExportFile[] {
  const one = (name: string, read: () => Promise<{ readonly body: object }>): ExportFile => ({
    name: `${name}.json`,
    isFinal: false,
    lines: (async function* () {
      const { success: _, ...rest } = (await patient(read)).body as { readonly success?: unknown };
      yield rest;
    })(),
  });
  return [
    one('account', () => client.getAccount()),
    one('platforms', () => client.listPlatforms()),
    one('rules', () => client.listRules()),
    one('api-keys', () => client.listApiKeys()),
    one('incidents', () => client.listIncidents()),
    {
      name: 'replays.ndjson',
      isFinal: false,
      lines: paged(async (query) => {
        const { body } = await client.listReplays({ query });
        return { rows: body.replays, next: body.next_cursor };
      }),
    },
    {
      name: 'audit-log.ndjson',
      isFinal: false,
      lines: paged(async (query) => {
        const { body } = await client.listAuditLog({ query });
        return { rows: body.entries, next: body.next_cursor };
      }),
    },
  ];
}
