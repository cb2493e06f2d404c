import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '#test/support/memory/clock.ts';
import { createMemoryDataKeys } from '#test/support/memory/config-stores.ts';
import { createMemoryDayKeys, PLAIN_WRAPPER } from '#test/support/memory/event-vault.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { DayKeyStore } from '../../core/ports/day-keys.ts';
import { type EventVault, type SealedFor, UnreadablePart } from '../../events/ports/event-vault.ts';
import { createEventVault } from './event-vault.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { createVault } from './vault.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const { eventSourceUrl = '', hashed, raw, plaintext } = sampleEvent();
const PERSONAL = { eventSourceUrl, hashed, raw, plaintext };
const row = (changes: Partial<SealedFor['key']> = {}, receivedAtMs = NOON, ingestId = 'a'): SealedFor => ({
  key: { merchantId: 'shop', channel: 'server', eventId: 'order-1', ...changes },
  ingestId,
  receivedAtMs,
});

let clock: ManualClock;
let dayKeys: DayKeyStore;
let unwraps = 0;
let dataKeys: ReturnType<typeof createMemoryDataKeys>;

/** A process of its own: nothing is remembered from another one. */
function process(store: Partial<DayKeyStore> = {}): EventVault {
  const wrapper: KeyWrapper = {
    generate: PLAIN_WRAPPER.generate,
    unwrap: async (_name, wrapped) => {
      unwraps += 1;
      return wrapped;
    },
  };
  return createEventVault({
    vault: createVault({ wrapper, keys: dataKeys, clock }),
    dayKeys: { ...dayKeys, ...store },
    clock,
  });
}

beforeEach(() => {
  clock = createManualClock(NOON);
  dayKeys = createMemoryDayKeys();
  dataKeys = createMemoryDataKeys();
  unwraps = 0;
});

describe('a sealed part', () => {
  it('opens in any process for its own acceptance, archived or live', async () => {
    const sealed = await process().seal(row(), PERSONAL);
    expect(await process().open(row(), sealed)).toEqual(PERSONAL);
    expect(await process().open(row({ archivedAs: 'a' }), sealed)).toEqual(PERSONAL);
  });

  it.each([
    ['event', row({ eventId: 'order-2' })],
    ['channel', row({ channel: 'browser' })],
    ['acceptance', row({}, NOON, 'b')],
  ])('opens for no other %s', async (_what, other) => {
    const sealed = await process().seal(row(), PERSONAL);
    await expect(process().open(other, sealed)).rejects.toThrow(UnreadablePart);
  });

  it('opens neither under the key of another day nor for another merchant', async () => {
    const [vault, sealed] = [process(), await process().seal(row(), PERSONAL)];
    for (const other of [row({}, NOON + DAY_MS), row({ merchantId: 'thief' })]) {
      expect(await vault.open(other, sealed)).toBeNull();
      await vault.seal(other, PERSONAL);
      await expect(vault.open(other, sealed)).rejects.toThrow(UnreadablePart);
    }
  });

  it('that is damaged says so, and quotes nothing of what it holds', async () => {
    const sealed = Buffer.from(await process().seal(row(), PERSONAL), 'base64');
    for (let at = 0; at < sealed.length; at += 17) {
      const damaged = Buffer.from(sealed);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      const failure = process().open(row(), damaged.toString('base64'));
      await expect(failure).rejects.toThrow(/^what is sealed in a cannot be read$/);
      await expect(failure).rejects.not.toHaveProperty('cause');
    }
    await expect(process().open(row(), '')).rejects.toThrow(UnreadablePart);
  });

  it('shows nothing of what it holds, and is another one each time', async () => {
    const vault = process();
    const sealed = await vault.seal(row(), PERSONAL);
    expect(await vault.seal(row(), PERSONAL)).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('Mozilla');
  });
});

describe('the key of a day', () => {
  it('once deleted opens nothing: at once in a new process, within five minutes in one that had it', async () => {
    const running = process();
    const sealed = await running.seal(row(), PERSONAL);
    const kept = await running.seal(row({}, NOON + DAY_MS), PERSONAL);
    expect(await dayKeys.eraseBefore('shop', '2026-11-22')).toBe(1);
    expect(await process().open(row(), sealed)).toBeNull();
    clock.advance(300_000);
    expect(await running.open(row(), sealed)).toBeNull();
    expect(await running.open(row({}, NOON + DAY_MS), kept)).toEqual(PERSONAL);
  });

  it('is made anew for what comes in late, and does not bring back what ended', async () => {
    const sealed = await process().seal(row(), PERSONAL);
    await dayKeys.eraseBefore('shop', '2026-11-22');
    const late = process();
    expect(await late.open(row(), sealed)).toBeNull();
    const again = await late.seal(row(), PERSONAL);
    expect(await late.open(row(), again)).toEqual(PERSONAL);
    await expect(late.open(row(), sealed)).rejects.toThrow(UnreadablePart);
  });

  it('changes at midnight UTC', async () => {
    const midnight = Date.UTC(2026, 10, 22);
    const vault = process();
    const before = row({}, midnight - 1);
    const sealed = await vault.seal(before, PERSONAL);
    await vault.seal(row({}, midnight), PERSONAL);
    await dayKeys.eraseBefore('shop', '2026-11-22');
    expect(await process().open(before, sealed)).toBeNull();
    expect(await dayKeys.read('shop', '2026-11-22')).not.toBeNull();
  });

  it('is one, however many processes make it at the same time', async () => {
    const processes = Array.from({ length: 8 }, () => process());
    const sealed = await Promise.all(processes.map((vault) => vault.seal(row(), PERSONAL)));
    for (const text of sealed) expect(await process().open(row(), text)).toEqual(PERSONAL);
  });

  it('is read once by a process, and KMS asked once, for many events on many days', async () => {
    let reads = 0;
    const counted = process({
      read: async (...args) => {
        reads += 1;
        return await dayKeys.read(...args);
      },
    });
    const rows = Array.from({ length: 500 }, (_, i) => row({ eventId: `e${i}` }, NOON - (i % 50) * DAY_MS));
    const sealed = await Promise.all(rows.map((one) => counted.seal(one, PERSONAL)));
    for (const [i, one] of rows.entries()) await counted.open(one, sealed[i] ?? '');
    expect(reads).toBe(50);
    expect(unwraps).toBeLessThanOrEqual(1);
  });

  it('that could not be read is asked for again by the next call', async () => {
    let fails = true;
    const shaky = process({
      read: async (...args) => {
        if (fails) throw new Error('the table is away');
        return await dayKeys.read(...args);
      },
    });
    await expect(shaky.seal(row(), PERSONAL)).rejects.toThrow('the table is away');
    fails = false;
    const sealed = await shaky.seal(row(), PERSONAL);
    expect(await shaky.open(row(), sealed)).toEqual(PERSONAL);
  });

  it('rests wrapped: whoever reads the table alone opens nothing', async () => {
    await process().seal(row(), PERSONAL);
    const wrapped = Buffer.from((await dayKeys.read('shop', '2026-11-21')) ?? '', 'base64');
    // Nonce, 44 characters of key, tag.
    expect(wrapped.byteLength).toBe(12 + 44 + 16);
    expect(wrapped.subarray(12, -16).toString('latin1')).not.toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });
});
