// Goal: a row whose message was lost gets another one, at the stage that is to take it on; a row that is only young does not.
import { expect, it } from 'vitest';
import { SendFailure } from '#lib/core/ports/queue.ts';
import { acceptedRow } from '#test/contract/stored-rows.ts';
import { type BatchPointer, keysOf, type Pointers } from '../../domain/pointer.ts';
import type { StrandedRow } from '../counting/count-rows.ts';
import { redrive } from './recover.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

const stranded = (eventId: string, state: StrandedRow['state'], ageMs: number): StrandedRow => {
  const receivedAtMs = NOW_MS - ageMs;
  return { key: acceptedRow({ eventId, receivedAtMs }).key, state, receivedAtMs };
};

/** `refuses`: an id the queue takes no message with. */
function queue(refuses?: string) {
  const sent: (Pointers | BatchPointer)[] = [];
  return {
    sent,
    ids: () =>
      sent.flatMap((message) => ('rows' in message ? keysOf(message) : []).map(({ eventId }) => eventId)),
    send: async (messages: readonly { readonly body: Pointers | BatchPointer }[]) => {
      const refused = messages.flatMap(({ body }, index) => {
        if (('rows' in body ? keysOf(body) : []).some(({ eventId }) => eventId === refuses)) return [index];
        sent.push(body);
        return [];
      });
      if (refused.length > 0) throw new SendFailure(refused, true, new Error('refused'));
    },
  };
}

it('sends accepted rows to normalize, and normalized ones to fan-out as not attempted', async () => {
  const ports = { accepted: queue(), normalized: queue(), report: () => expect.unreachable() };
  await redrive([stranded('a', 'accepted', 60_000), stranded('n', 'normalized', 60_000)], NOW_MS, ports);
  expect(ports.accepted.ids()).toEqual(['a']);
  expect(ports.normalized.ids()).toEqual(['n']);
  expect(ports.accepted.sent[0]).not.toHaveProperty('unattempted');
  expect(ports.normalized.sent[0]).toHaveProperty('unattempted', true);
  // `first` would claim that no worker can have sent these rows before.
  for (const message of [...ports.accepted.sent, ...ports.normalized.sent])
    expect(message).not.toHaveProperty('first');
});

it('leaves rows alone that are younger than 50 seconds: their messages are on their way', async () => {
  const ports = { accepted: queue(), normalized: queue(), report: () => expect.unreachable() };
  const rows = [stranded('young', 'accepted', 49_999), stranded('old', 'accepted', 50_000)];
  await redrive(rows, NOW_MS, ports);
  expect(ports.accepted.ids()).toEqual(['old']);
  expect(ports.normalized.sent).toEqual([]);
});

it('gets every other row past one whose pointer the queue refuses, and reports that one', async () => {
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const ports = { accepted: queue('bad'), normalized: queue(), report };
  const rows = ['a', 'bad', 'b'].map((id) => stranded(id, 'accepted', 60_000));
  await redrive(rows, NOW_MS, ports);
  expect(ports.accepted.ids()).toEqual(['a', 'b']);
  expect(problems).toHaveLength(1);
});

it('throws where the queue is away, so that the due time of the slot does not move', async () => {
  const away = {
    send: async () => {
      throw new Error('away');
    },
  };
  const ports = { accepted: away, normalized: queue(), report: () => expect.unreachable() };
  await expect(redrive([stranded('a', 'accepted', 60_000)], NOW_MS, ports)).rejects.toThrow('away');
});
