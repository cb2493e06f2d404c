// Golden items: what was stored once, as JSON files with base64 for bytes, and beside each item what the code must read
// from it. A file is never changed: what is stored may be years old.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import { createMemoryDataKeys } from '../../support/memory/config-stores.ts';

export const GOLDEN_FOLDERS = [
  'events',
  'counters',
  'batches',
  'personal',
  'helpdesk',
  'config',
  'rates',
  'analytics',
] as const;
export type GoldenKind = (typeof GOLDEN_FOLDERS)[number];

export interface Golden {
  readonly name: string;
  /** What it is and which code wrote it. */
  readonly about: string;
  readonly item: Record<string, unknown>;
  /** The row, or `{ "unreadable": <problem> }`. */
  readonly reads: unknown;
}

const folderOf = (kind: GoldenKind): string => fileURLToPath(new URL(`golden/${kind}/`, import.meta.url));

export function goldenFiles(kind: GoldenKind): readonly Golden[] {
  if (!existsSync(folderOf(kind))) return [];
  return readdirSync(folderOf(kind))
    .sort()
    .map((file) => ({
      name: file.replace('.json', ''),
      ...JSON.parse(readFileSync(folderOf(kind) + file, 'utf8'), fromText),
    }));
}

/** False where there is a file of this name: it stays as it is. */
export function writeGolden(kind: GoldenKind, { name, ...golden }: Golden): boolean {
  const path = `${folderOf(kind)}${name}.json`;
  if (existsSync(path)) return false;
  mkdirSync(folderOf(kind), { recursive: true });
  writeFileSync(path, `${JSON.stringify(withText(golden), null, 2)}\n`, { flag: 'wx' });
  return true;
}

function withText(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return { $set: [...value] };
  if (Array.isArray(value)) return value.map(withText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withText(inner)]));
}

function fromText(_: string, value: unknown): unknown {
  const { $bytes: bytes, $set: set } = (value ?? {}) as {
    readonly $bytes?: unknown;
    readonly $set?: unknown;
  };
  if (Array.isArray(set)) return new Set(set);
  return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : value;
}

/** The real vault, under one data key of 32 sevens and these keys of days. */
export function goldenVault(dayKeys: Pick<DayKeyStore, 'read' | 'create'>): EventVault {
  const dataKey = Buffer.alloc(32, 7);
  const clock = { now: () => 0 };
  const wrapper = {
    generate: async () => ({ plain: dataKey, wrapped: dataKey }),
    unwrap: async () => dataKey,
  };
  const keys = { ...createMemoryDataKeys(), read: async () => dataKey, create: async () => dataKey };
  return createEventVault({ vault: createVault({ wrapper, keys, clock }), dayKeys, clock });
}
