// What every EventStore must do when the person is taken out of a row.
import { expect, it } from 'vitest';
import { NO_PAYLOAD_HASH } from '#lib/events/domain/erasure/erased-row.ts';
import type { EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore, RowErasure } from '#lib/events/ports/event-store.ts';
import { acceptedRow, freshMerchant, leased, normalizedRow, T0 } from './event-rows.ts';

const ERASURE = '01930000-0000-7000-8000-000000000001';
const merchantId = freshMerchant();
let keys = 0;
const freshKey = (): EventKey => ({ merchantId, channel: 'server', eventId: `erased-${++keys}` });

const bare = ({ event: { sealed: _, ...event }, ...row }: NormalizedRow): NormalizedRow => ({
  ...row,
  event,
  payloadHash: NO_PAYLOAD_HASH,
  erasedBy: ERASURE,
});

export function eventStoreErasing(makeStore: () => Promise<EventStore & RowErasure>): void {
  it('takes the person out of a normalized row, whatever became of its deliveries meanwhile', async () => {
    const store = await makeStore();
    const row = normalizedRow(acceptedRow(freshKey()));
    await store.claim(acceptedOf(row));
    await store.normalize(row);
    const patch = { platform: 'meta', delivery: leased(T0 + 1_000), dueAtMs: T0 + 1_000 };
    const after = await store.putDelivery(row, patch);
    expect(await store.erase(row, ERASURE)).toBe(true);
    expect(await store.read(row.key)).toEqual(bare(after as NormalizedRow));
    // Again is harmless, and what others do to the row goes on.
    expect(await store.erase(row, ERASURE)).toBe(true);
    expect(await store.reschedule(after as NormalizedRow, T0 + 9_000, 1)).toBe(true);
  });

  it('takes it out of an accepted row, and keeps the mark when that is normalized', async () => {
    const store = await makeStore();
    const accepted = acceptedRow(freshKey());
    await store.claim(accepted);
    expect(await store.erase(accepted, ERASURE)).toBe(true);
    const stored = await store.read(accepted.key);
    expect(stored).toMatchObject({ state: 'accepted', erasedBy: ERASURE, payloadHash: NO_PAYLOAD_HASH });
    const body = stored?.state === 'accepted' ? stored.body : undefined;
    expect(body).toMatchObject({ event_name: 'Purchase', value: 29.99, user_data: {} });
    expect(JSON.stringify(stored)).not.toMatch(/Example|nested|mark/);
    // Somebody who had read it before.
    expect(await store.normalize(normalizedRow(accepted))).toBe(true);
    const after = await store.read(accepted.key);
    expect(after).toMatchObject({ state: 'normalized', erasedBy: ERASURE });
    expect(after?.state === 'normalized' && typeof after.event.sealed).toBe('string');
  });

  it('loses the digest of its body where it is normalized without its person, and nowhere else', async () => {
    const store = await makeStore();
    const [kept, suppressed] = [acceptedRow(freshKey()), acceptedRow(freshKey())];
    for (const row of [kept, suppressed]) await store.claim(row);
    expect(await store.normalize(normalizedRow(kept))).toBe(true);
    expect(await store.normalize({ ...normalizedRow(suppressed), payloadHash: NO_PAYLOAD_HASH })).toBe(true);
    expect((await store.read(kept.key))?.payloadHash).toBe(kept.payloadHash);
    expect((await store.read(suppressed.key))?.payloadHash).toBe(NO_PAYLOAD_HASH);
  });

  it('takes it out of an archived row, and of nothing beside it', async () => {
    const store = await makeStore();
    const row = normalizedRow(acceptedRow(freshKey()));
    await store.claim(acceptedOf(row));
    await store.normalize(row);
    await store.archive(row);
    const key = { ...row.key, archivedAs: row.ingestId };
    expect(await store.erase({ ...row, key }, ERASURE)).toBe(true);
    expect(await store.read(key)).toEqual({ ...bare(row), key });
    expect(await store.read(row.key)).toEqual(row);
  });

  it('refuses another acceptance, another state, and a row that is not there', async () => {
    const store = await makeStore();
    const accepted = acceptedRow(freshKey());
    await store.claim(accepted);
    const row = normalizedRow(accepted);
    expect(await store.erase(row, ERASURE)).toBe(false);
    expect(await store.erase({ ...accepted, ingestId: acceptedRow(accepted.key).ingestId }, ERASURE)).toBe(
      false,
    );
    expect(await store.erase(acceptedRow(freshKey()), ERASURE)).toBe(false);
    expect(await store.read(accepted.key)).toEqual(accepted);
    await store.normalize(row);
    expect(await store.erase(accepted, ERASURE)).toBe(false);
    expect(await store.read(accepted.key)).toEqual(row);
  });
}

function acceptedOf(row: NormalizedRow) {
  const { ingestId, payloadHash } = row;
  return { ...acceptedRow(row.key), ingestId, payloadHash };
}
