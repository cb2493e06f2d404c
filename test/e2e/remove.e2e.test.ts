// Goal: a merchant is removed by one command, with its export, and what waits of it is sent nowhere; no other one notices.
// Method: the command line against an embedded host: functions, queues and tables are those of the template.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { json, millrace, terminal } from './host-terminal.ts';
import { purchase, send, useHost } from './hosts.ts';

const { session, folder, errors } = useHost(() => ({ sweepIntervalMs: 500 }));
beforeAll(() => {
  process.env.MILLRACE_DATA_DIR = join(folder, '.local');
});

const UNKNOWN = '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11';

interface Made {
  readonly merchant: { readonly id: string };
  readonly keys: readonly { readonly secret: string }[];
}
const made = async (name: string) => {
  const owner = ['--owner', `${name}@shop.example`, '--subject', `sub-${name}`];
  const { merchant, keys } = await json<Made>('merchants', 'create', name, ...owner, '--admin-key');
  return { id: merchant.id, keys: keys.map(({ secret }) => secret), folder: join(folder, name) };
};
const as = async (key: string | undefined, url: string, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, { headers, ...sent });
  return [answer.status, await answer.text()] as const;
};
const connected = async (name: string) => {
  const shop = await made(name);
  const body = { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'EAAyourToken' } };
  expect(await as(shop.keys[1], `${session().api_url}/v1/platforms`, body)).toEqual([
    201,
    expect.any(String),
  ]);
  return shop;
};

it('ends one merchant, sends nothing of it any more, and meets no other', async () => {
  const gone = await connected('Gone');
  const { ingestion_url, api_url, helpdesk_url, merchant_id } = session();
  expect(await as(gone.keys[0], `${ingestion_url}/v1/events`, purchase('gone-0'))).toMatchObject([202, {}]);
  await expect
    .poll(async () => (await millrace('explain', gone.id, 'gone-0')).out)
    .toMatch(/^meta +delivered/m);
  await millrace('pause', '--platform', 'meta', '--reason', 'so that it waits');
  await pauseFor(10_500);
  expect(await as(gone.keys[0], `${ingestion_url}/v1/events`, purchase('gone-1'))).toMatchObject([202, {}]);
  await expect.poll(async () => (await millrace('explain', gone.id, 'gone-1')).out).toMatch(/RETRY/);
  const remove = () => millrace('merchants', 'remove', gone.id, '--export', gone.folder, '--yes');
  const done = await remove();
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringMatching(/is removed\n.*1 connections, 1 people, 3 keys/),
  ]);
  const exported = readdirSync(join(gone.folder, 'events')).flatMap((name) =>
    readFileSync(join(gone.folder, 'events', name), 'utf8')
      .trim()
      .split('\n'),
  );
  const ids = exported.map((line) => (JSON.parse(line) as { event_id: string }).event_id);
  expect(ids.sort()).toEqual(['gone-0', 'gone-1']);
  await millrace('resume', '--platform', 'meta');
  for (const [key, url, body] of [
    [gone.keys[0], `${ingestion_url}/v1/events`, purchase('gone-2')],
    [gone.keys[1], `${api_url}/v1/platforms`],
    [gone.keys[2], `${helpdesk_url}/api/tickets`],
  ] as const)
    expect((await as(key, url, body))[0]).toBe(401);
  await pauseFor(5_000);
  const waiting = (await millrace('explain', gone.id, 'gone-1')).out;
  expect(waiting).toMatch(/^meta +/m);
  expect(waiting).not.toMatch(/delivered|RETRY/);
  expect((await json<{ found: object }>('redrive', 'all', '--dry-run')).found).toEqual({});
  expect((await send(session(), '/v1/events', purchase('stays-1'))).status).toBe(202);
  await expect
    .poll(async () => (await millrace('explain', merchant_id, 'stays-1')).out)
    .toMatch(/^meta +delivered/m);
  // Work that met what was ended has not failed.
  expect(errors).toEqual([]);
  const again = await remove();
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/was removed already, .*by operator:/)]);
  expect((await millrace('merchants', 'resume', gone.id)).err).toMatch(/has removed/);
  expect((await millrace('merchants', 'list')).out).toMatch(new RegExp(`^${gone.id} +removed +removed`, 'm'));
});

it('does nothing without its name, a terminal or a whole export, and goes on afterwards', async () => {
  const shop = await connected('Kept');
  const remove = (...more: readonly string[]) =>
    millrace('merchants', 'remove', 'Kept', '--export', shop.folder, ...more);
  terminal.typed = 'kept';
  expect(await remove()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not its name: nothing was/),
  });
  expect((await millrace('merchants', 'show', shop.id)).out).toMatch(/^state +active$/m);
  writeFileSync(shop.folder, '');
  expect(await remove('--yes')).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be written/) });
  expect((await millrace('merchants', 'show', shop.id)).out).toMatch(/^state +suspended since /m);
  rmSync(shop.folder);
  terminal.typed = ' Kept ';
  expect(await remove()).toMatchObject({ code: 0, out: expect.stringMatching(/is removed$/m) });
  expect((await millrace('merchants', 'remove', UNKNOWN, '--export', shop.folder)).err).toMatch(/list/);
  expect((await millrace('merchants', 'remove', shop.id)).code).toBe(2);
});
