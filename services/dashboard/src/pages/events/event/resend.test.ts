// Goal: a retry is offered where something has failed, and takes what waits as well.
import { expect, it } from 'vitest';
import { hasFailed, isRetried } from './resend.ts';

const fate = { attempts: 1, maybe_delivered: false, history: [] };
const second = (status: string) => ({ ...fate, connection_id: 'c2', status: status as 'RETRY' });

it.each([
  ['DELIVERED', false, false],
  ['QUEUED', false, false],
  ['SENDING', false, false],
  ['RETRY', false, true],
  ['FAILED', true, true],
  ['ERROR', true, true],
  ['SKIPPED', false, false],
] as const)('%s', (status, failed, retried) => {
  expect([hasFailed({ status }), isRetried({ status })]).toEqual([failed, retried]);
});

it('knows of a connection that failed beside one that waits', () => {
  expect(hasFailed({ status: 'RETRY', connections: [second('RETRY'), second('FAILED')] })).toBe(true);
  expect(hasFailed({ status: 'RETRY', connections: [second('RETRY'), second('DELIVERED')] })).toBe(false);
});
