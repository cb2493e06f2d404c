// Promise: a replay says what its original said, but for what was true of that alone.
import { expect, it } from 'vitest';
import { acceptedRow } from '#test/contract/stored-rows.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { replayedEvent } from './replay-row.ts';

it('did not wait for its page, though its original did', () => {
  const original = sampleEvent({ pageWait: { endMs: 10_000, pageMs: 3_000 }, fromPage: ['fbc'] });
  const replayed = replayedEvent(original, acceptedRow({ eventId: 'again' }));
  expect(replayed).toMatchObject({ eventId: 'again', replay: true, fromPage: ['fbc'] });
  expect(replayed).not.toHaveProperty('pageWait');
});
