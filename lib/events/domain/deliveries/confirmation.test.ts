// Promise: a success moves once by the platform's own later word, and by nothing else; a question that is not answered is put at
// growing distances, and given up a day after the success, however late it is put.
import { describe, expect, it } from 'vitest';
import { afterAnswer, type Said, waitingFor } from './confirmation.ts';
import type { Delivery } from './delivery.ts';
import { confirmed, mayFollow, withSurplus } from './transition.ts';

const T0 = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const waiting = waitingFor('r', T0) ?? expect.unreachable();
const SUCCESS: Delivery = {
  ...{ state: 'DELIVERED', attempts: 1, unknowns: 0, updatedAtMs: T0, deliveredAtMs: T0, history: [] },
  confirmation: waiting,
};
const REJECTED: Said = { word: 'rejected', reason: 'x.OLD' };
const at = (atMs: number, said: Said = { word: 'waiting' }) => confirmed(SUCCESS, 'r', said, atMs);

describe('the next question', () => {
  it.each([
    [0.5, 1.5],
    [1.6, 3.5],
    [3.5, 7.5],
    [7.6, 15.5],
    [15.5, 24],
  ])('after %d hours comes at %d', (after, next) =>
    expect(at(T0 + after * HOUR_MS)?.confirmation).toEqual({ ...waiting, askAtMs: T0 + next * HOUR_MS }),
  );

  it('does not come after a day', () => {
    for (const hours of [24, 80])
      expect(at(T0 + hours * HOUR_MS)).toMatchObject({
        state: 'DELIVERED',
        deliveredAtMs: T0,
        confirmation: { word: 'never', reason: 'never_done' },
      });
  });

  it('is not put for an id that is none', () => {
    for (const id of ['', 'a b', 'a;b', 'x'.repeat(101)]) expect(waitingFor(id, T0)).toBeUndefined();
  });
});

describe('an answer', () => {
  it('moves only a success that waits for it', () => {
    expect(confirmed(SUCCESS, 'another', REJECTED, T0 + 1)).toBeNull();
    expect(confirmed(undefined, 'r', REJECTED, T0 + 1)).toBeNull();
    const done = at(T0 + 1, { word: 'confirmed' }) ?? expect.unreachable();
    expect(confirmed(done, 'r', REJECTED, T0 + 2)).toBeNull();
    expect(confirmed({ ...SUCCESS, state: 'RETRY' }, 'r', REJECTED, T0 + 1)).toBeNull();
  });

  it('ends the success where all was rejected, and keeps the attempts', () => {
    const failed = at(T0 + 5, REJECTED) ?? expect.unreachable();
    expect(failed).toEqual({
      ...{ state: 'FAILED', attempts: 1, unknowns: 0, updatedAtMs: T0 + 5, reason: 'x.OLD', history: [] },
      confirmation: { word: 'rejected', request: 'r' },
    });
    expect(mayFollow(SUCCESS, failed)).toBe(true);
  });

  it('is all that may follow a success, but for one more unknown', () => {
    const failed: Delivery = { ...SUCCESS, state: 'FAILED' };
    expect(mayFollow(SUCCESS, withSurplus(SUCCESS))).toBe(true);
    expect(mayFollow(SUCCESS, failed)).toBe(false);
    const rejected: Delivery = { ...failed, confirmation: { word: 'rejected', request: 'r' } };
    expect(mayFollow(SUCCESS, rejected)).toBe(true);
    const { confirmation: _, ...unasked } = SUCCESS;
    expect(mayFollow(unasked, rejected)).toBe(false);
    expect(mayFollow(SUCCESS, { ...rejected, confirmation: { word: 'rejected', request: 'other' } })).toBe(
      false,
    );
    const confirmation = afterAnswer(waiting, { word: 'confirmed' }, T0, T0);
    expect(mayFollow({ ...SUCCESS, confirmation }, rejected)).toBe(false);
  });
});
