// The samples as the code of today writes them.

import type { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { manifestItem, outcomesItem } from '#lib/adapters/dynamodb/events/batches/item.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { toItem } from '#lib/adapters/dynamodb/events/rows/event-item.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import { createMemoryDayKeys } from '../../support/memory/event-vault.ts';
import { COUNTER_SAMPLES } from './counter-samples.ts';
import { type Golden, type GoldenKind, goldenVault } from './golden-files.ts';
import { writtenHelpdeskItems } from './helpdesk-samples.ts';
import { writtenKinds } from './kind-samples.ts';
import { ACCEPTED, EVENT_SAMPLES, MANIFEST_SAMPLES, OUTCOME_SAMPLES, PERSONAL_SAMPLES } from './samples.ts';

/** `about` is for files that are new. */
export async function writtenItems(about: string): Promise<Readonly<Record<GoldenKind, readonly Golden[]>>> {
  const written = <T>(samples: Readonly<Record<string, T>>, toStored: (sample: T) => Golden['item']) =>
    Object.entries(samples).map(([name, sample]) => ({
      name: expiring(name),
      about,
      item: toStored(sample),
      reads: sample,
    }));
  const events = written(EVENT_SAMPLES, (row) => toItem(row));
  const manifests = written(MANIFEST_SAMPLES, (manifest) => manifestItem(manifest));
  const outcomes = written(OUTCOME_SAMPLES, (sample) => outcomesItem(sample));
  const counters = [];
  for (const [name, row] of Object.entries(COUNTER_SAMPLES))
    counters.push({ name, about, item: await counterItem(row), reads: row });
  const personal = [];
  for (const [name, part] of Object.entries(PERSONAL_SAMPLES)) {
    const dayKeys = createMemoryDayKeys();
    const sealed = await goldenVault(dayKeys).seal(ACCEPTED, part);
    const { key, ingestId, receivedAtMs } = ACCEPTED;
    const dayKey = await dayKeys.read(key.merchantId, dayOf(receivedAtMs));
    personal.push({ name, about, item: { key, ingestId, receivedAtMs, dayKey, sealed }, reads: part });
  }
  const helpdesk = await writtenHelpdeskItems(about);
  const kinds = await writtenKinds(about);
  const of = (wanted: TableName): readonly Golden[] =>
    kinds.filter(({ table }) => table === wanted).map(({ table: _, ...golden }) => golden);
  return {
    ...{ events, counters, batches: [...manifests, ...outcomes], personal, helpdesk },
    ...{ config: of('config'), rates: of('rates'), analytics: of('analytics') },
  };
}

/** Those without were written before rows had an end. */
const expiring = (name: string): string => `${name}-that-expires`;

/** What the writes of the counter store set, without a table. */
async function counterItem(row: BucketRow): Promise<Record<string, unknown>> {
  let item: Record<string, unknown> = {};
  const send = async (command: UpdateCommand): Promise<object> => {
    const { Key, ExpressionAttributeValues: values = {} } = command.input;
    const set = [...(command.input.UpdateExpression ?? '').matchAll(/(\w+) = (:\w+)/g)];
    item = {
      ...item,
      ...Key,
      ...Object.fromEntries(set.map(([, name, value]) => [name, values[value ?? '']])),
    };
    return {};
  };
  const store = createCounterStore({ send } as unknown as DynamoDBDocumentClient, 'analytics');
  await store.write(row);
  const { settled, key, dueAtMs = 0 } = row;
  if (settled !== undefined) await store.settle(key, settled.credits, settled.revision - 1, dueAtMs);
  return item;
}
