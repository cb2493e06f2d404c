// Promise: a merchant whose connection was paused for its credentials gets a mail that says which, since when, and what to do; none
// where it works again meanwhile; another when a probe ends the pause; and a mail comes again where it could not be sent.
import { expect, it } from 'vitest';
import type { Notice } from '#lib/core/ports/notice-sender.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import { createMemoryConfig } from '#test/support/memory/config-stores.ts';
import type { TaskPorts } from './ports.ts';
import { createTaskStage } from './stage.ts';

const SHOP = '018f3c1e-0000-7000-8000-000000000001';
const PAUSED_MS = Date.UTC(2026, 10, 21, 3, 7);

async function setUp(
  send: (notice: Notice) => Promise<boolean> = async () => true,
  { status = 401, code = 'meta.190' } = {},
) {
  const config = createMemoryConfig();
  const merchant = testMerchant({ enabled: false });
  const [name, email] = ['Łódź Lights', 'owner@shop.example'];
  await config.putMerchant({ ...merchant, merchantId: SHOP, name, email, createdAtMs: 0 });
  const draft = { merchantId: SHOP, platform: 'meta', newId: 'con_1', name: 'EU pixel' };
  const { connection } = await config.putConnection({ ...draft, sealedCredentials: 's' }, 0);
  await config.pauseConnection(connection, 'auth', PAUSED_MS, {
    atMs: PAUSED_MS,
    ...{ status, code },
    message: 'Error validating access token',
  });
  const mails: Notice[] = [];
  const problems: string[] = [];
  const ports = {
    config,
    notices: async () => ({
      send: async (notice: Notice) => {
        mails.push(notice);
        return await send(notice);
      },
    }),
    report: (problem: string) => void problems.push(problem),
  } as unknown as TaskPorts;
  const tell = (over: Partial<TaskPorts> = {}, paused = 'con_1') =>
    createTaskStage({ ...ports, ...over })([
      { body: { merchant: SHOP, paused, slot: 'meta' }, receiveCount: 1, sentAtMs: 0 },
    ]);
  const tellOf = (what: { readonly resumed: string } | { readonly failing: string }) =>
    createTaskStage(ports)([
      { body: { merchant: SHOP, slot: 'meta', ...what }, receiveCount: 1, sentAtMs: 0 },
    ]);
  const tellResumed = () => tellOf({ resumed: 'con_1' });
  const tellFailing = () => tellOf({ failing: 'con_1' });
  return { config, mails, problems, tell, tellResumed, tellFailing };
}

it('says which connection, since when, and what to do', async () => {
  const { mails, tell } = await setUp();
  expect(await tell()).toEqual({ failedIndexes: [] });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    to: 'owner@shop.example',
    subject: 'Meta refuses the credentials of Łódź Lights',
  });
  expect(mails[0]?.text).toContain('"EU pixel" since 2026-11-21 03:07 UTC');
  expect(mails[0]?.text).toContain('It answered 401. It says: Error validating access token');
  expect(mails[0]?.text).toContain('Put in new credentials there');
});

it('asks for another version, and for no credentials, where the platform refuses that of its API', async () => {
  const { mails, tell } = await setUp(undefined, { status: 426, code: 'linkedin.no_such_version' });
  await tell();
  expect(mails[0]?.subject).toContain('refuses a version of its API');
  expect(mails[0]?.text).toContain('move EU pixel to another version');
  expect(mails[0]?.text).not.toContain('credentials');
});

it.each([
  ['works again', 'con_1', null],
  ['was paused by hand meanwhile', 'con_1', 'manual'],
  ['is gone', 'con_9', undefined],
] as const)('sends none where the connection %s', async (_how, id, pause) => {
  const { config, mails, tell } = await setUp();
  const [seen] = await config.listConnections(SHOP);
  if (seen !== undefined && pause !== undefined)
    await config.changeConnection(seen, { pause }, PAUSED_MS + 1);
  expect(await tell({}, id)).toEqual({ failedIndexes: [] });
  expect(mails).toEqual([]);
});

it('sends none where the deployment has no domain for mails', async () => {
  const { mails, tell } = await setUp();
  expect(await tell({ notices: async () => null })).toEqual({ failedIndexes: [] });
  expect(mails).toEqual([]);
});

it('comes again where the provider failed, and says so where it refuses for good', async () => {
  const failing = await setUp(async () => {
    throw new Error('Throttling');
  });
  expect(await failing.tell()).toEqual({ failedIndexes: [0] });
  const refusing = await setUp(async () => false);
  expect(await refusing.tell()).toEqual({ failedIndexes: [] });
  expect(refusing.problems).toEqual(['a merchant could not be told of a connection']);
});

it('says that it is over, once a probe has ended the pause, and since when it was', async () => {
  const { config, mails, tell, tellResumed } = await setUp();
  const [seen] = await config.listConnections(SHOP);
  // Not while it is paused.
  expect(await tellResumed()).toEqual({ failedIndexes: [] });
  expect(mails).toEqual([]);
  await config.changeConnection(seen ?? expect.unreachable(), { pause: null }, PAUSED_MS + 3_600_000);
  expect(await tellResumed()).toEqual({ failedIndexes: [] });
  expect(mails).toMatchObject([{ subject: 'Meta takes events of Łódź Lights again' }]);
  expect(mails[0]?.text).toContain('"EU pixel" again. It had refused them since 2026-11-21 03:07 UTC.');
  expect(mails[0]?.text).toContain('There is nothing to do.');
  await tell();
  expect(mails).toHaveLength(1);
});

it('says that a platform has taken nothing for minutes, with its answer, and when it is over', async () => {
  const { config, mails, tellFailing, tellResumed } = await setUp();
  const stored = async () => (await config.listConnections(SHOP))[0] ?? expect.unreachable();
  await config.changeConnection(await stored(), { pause: null }, PAUSED_MS);
  const failedCall = { atMs: PAUSED_MS, status: 503, code: 'meta.503', message: 'Try again later' };
  const circuit = { openedAtMs: PAUSED_MS, probes: 4, nextProbeAtMs: PAUSED_MS + 1, failedCall };
  await config.setCircuit(await stored(), circuit, PAUSED_MS);
  // Not while it is shut.
  await tellResumed();
  await tellFailing();
  expect(mails).toMatchObject([{ subject: 'Meta takes no events of Łódź Lights' }]);
  expect(mails[0]?.text).toContain('to Meta have failed since 2026-11-21 03:07 UTC. It answered 503.');
  expect(mails[0]?.text).toContain('It says: Try again later');
  await config.setCircuit(await stored(), null, PAUSED_MS + 600_000);
  await tellFailing();
  expect(mails).toHaveLength(1);
  await tellResumed();
  expect(mails.slice(1)).toMatchObject([{ subject: 'Meta takes events of Łódź Lights again' }]);
  expect(mails[1]?.text).toContain('It had taken none since 2026-11-21 03:07 UTC.');
});
