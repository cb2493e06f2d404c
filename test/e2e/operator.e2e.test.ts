// Goal: the operator's commands do what they say to a host as `npm start` runs it, and refuse in a sentence.
// Method: the command line over its own world, against an embedded host: functions, queues and tables are those of the template.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { type ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { redriveDeadLetters } from '../../lib/adapters/sqs/redrive.ts';
import { documentedLines, isForHost } from '../support/documented-commands.ts';
import { json, millrace } from './host-terminal.ts';
import { purchase, send, useHost } from './hosts.ts';

const { session, folder } = useHost(() => ({ sweepIntervalMs: 500 }));
beforeAll(() => {
  process.env.MILLRACE_DATA_DIR = join(folder, '.local');
});

interface Plan {
  readonly id: string;
  readonly progress: { readonly sent: number };
}

const UNKNOWN = '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11';
const UNICODE = 'größe-🛒/../%2e#?';

async function accepted(id: string): Promise<string> {
  expect((await send(session(), '/v1/events', purchase(id))).status).toBe(202);
  return id;
}

describe('the operator’s URL', () => {
  it.each([undefined, 'Bearer x', 'Bearer ', 'Basic x'])('refuses %s as AWS does', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const url = `${session().operator_url}/operator/v1/merchants/list`;
    const answer = await fetch(url, { method: 'POST', body: '{}', headers });
    expect([answer.status, await answer.json()]).toEqual([403, { Message: 'Forbidden' }]);
  });
});

describe('the URL of readers', () => {
  const ask = async (path: string) => {
    const { operator_reader_url, operator_token } = session();
    const headers = { authorization: `Bearer ${operator_token}` };
    const answer = await fetch(`${operator_reader_url}/operator/v1/${path}`, {
      method: 'POST',
      body: '{}',
      headers,
    });
    return [answer.status, await answer.text()] as const;
  };
  it('answers what changes nothing, and refuses the rest in a sentence', async () => {
    expect((await ask('merchants/list'))[0]).toBe(200);
    for (const path of [
      'merchants',
      'merchants/suspend',
      'merchants/change',
      'platforms/pause',
      'people/invite',
    ])
      expect(await ask(path)).toEqual([403, expect.stringContaining('you may look, not change')]);
  });
});

describe('explain', () => {
  it('says what became of an event, for an id with anything in it, and leaves a trace in the merchant’s log', async () => {
    const { merchant_id, api_url, session_jwt } = session();
    await accepted(UNICODE);
    await expect
      .poll(async () => (await millrace('explain', merchant_id, UNICODE)).out)
      .toMatch(/^meta +delivered +DELIVERED/m);
    const answer = await fetch(`${api_url}/v1/audit-log`, {
      headers: { authorization: `Bearer ${session_jwt}` },
    });
    expect(await answer.text()).toMatch(
      /"actor":"operator:\w+","action":"merchant.read"|"action":"merchant.read"/,
    );
  });

  it('says of nothing that it is nothing', async () => {
    const { merchant_id, api_key } = session();
    for (const [merchant, id, sentence] of [
      [merchant_id, 'none', /not|no /i],
      [UNKNOWN, UNICODE, /merchants list/],
      ['Nothing', UNICODE, /No merchant is called Nothing/],
    ] as const) {
      const { code, out, err } = await millrace('explain', merchant, id);
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(sentence)]);
      expect(err).not.toContain(api_key);
    }
  });
});

describe('redrive', () => {
  const urls = () => session().outputs;
  const die = async (bodies: readonly string[]) => {
    for (const body of bodies)
      await createSqsClient().send(
        new SendMessageCommand({
          QueueUrl: urls().DeadLetterQueueUrl,
          MessageBody: body,
          MessageGroupId: 'm',
        }),
      );
  };
  const hint = (id: string) => JSON.stringify({ merchant: session().merchant_id, rows: [['s', id]] });

  it('counts, sends back what is wanted, and leaves the rest', async () => {
    await accepted('redriven-1');
    await die(Array.from({ length: 12 }, () => hint('redriven-1')));
    const said = async (...args: readonly string[]) =>
      JSON.parse((await millrace('redrive', ...args, '--json')).out) as object;
    const all = { found: { 'not said': 12 }, moved: 0, left: 12 };
    expect(await said('accepted', '--dry-run')).toEqual(all);
    // Nothing says where they came from.
    expect(await said('all')).toEqual(all);
    const both = await Promise.all([said('accepted', '--unmarked'), said('accepted', '--unmarked')]);
    expect(both.reduce((sum, { moved }: { moved?: number }) => sum + (moved ?? 0), 0)).toBe(12);
    expect(await said('all')).toEqual({ found: {}, moved: 0, left: 0 });
  });

  it('goes by the queue that a message came from', async () => {
    await die(['a', 'b', 'c']);
    const [from, to] = [urls().DeadLetterQueueUrl ?? '', urls().AuditQueueUrl ?? ''];
    const sqs = createSqsClient();
    // As SQS says it, and this emulator does not.
    const marking = {
      send: async (command: unknown) => {
        const answer = (await sqs.send(command as ReceiveMessageCommand)) ?? {};
        for (const message of answer.Messages ?? [])
          message.Attributes = {
            ...message.Attributes,
            DeadLetterQueueSourceArn: `arn:aws:sqs:x:0:${message.Body === 'b' ? 'Audit' : 'Gone'}`,
          };
        return answer;
      },
    } as Pick<typeof sqs, 'send'>;
    const urlFor = (arn: string | undefined) => (arn?.endsWith(':Audit') === true ? to : null);
    const done = await redriveDeadLetters(marking, { deadLetterUrl: from, urlFor, isDryRun: false });
    expect([done.moved, Object.fromEntries(done.found)]).toEqual([1, { Audit: 1, Gone: 2 }]);
    expect((await millrace('redrive', 'all', '--dry-run')).out).toMatch(/^not said +2$/m);
  });

  it.each([
    [['nothing'], 1, /There is no queue nothing: accepted, /],
    [['../größe'], 1, /There is no queue/],
    [['all', '--unmarked'], 2, /name the queue/],
  ] as const)('%j is refused', async (args, code, sentence) => {
    const refused = await millrace('redrive', ...args);
    expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(sentence)]);
  });
});

describe('pause of a platform', () => {
  const explained = async (id: string): Promise<string> =>
    (await millrace('explain', session().merchant_id, id)).out;
  const incidents = async (): Promise<string> => {
    const { api_url, session_jwt } = session();
    const headers = { authorization: `Bearer ${session_jwt}` };
    return await (await fetch(`${api_url}/v1/incidents?state=open`, { headers })).text();
  };

  it('parks its deliveries of all merchants, is seen, and ends with what waited sent', async () => {
    const pause = () => millrace('pause', '--platform', 'meta', '--reason', 'größe 🛒', '--json');
    const both = (await Promise.all([pause(), pause()])).map(
      ({ out }) => JSON.parse(out) as { changed: boolean },
    );
    expect(both.map(({ changed }) => changed).sort()).toEqual([false, true]);
    expect((await millrace('status')).out).toMatch(/^meta +\S+ \S+ UTC +operator:\S+ +größe 🛒$/m);
    // A process looks once in ten seconds.
    await pauseFor(10_500);
    await accepted('held-1');
    await expect.poll(() => explained('held-1')).toMatch(/^ga4 +delivered/m);
    await expect.poll(() => explained('held-1')).toMatch(/^meta +\S+ +RETRY/m);
    expect(await incidents()).toContain('"kind":"held","platform":"meta"');
    await pauseFor(3_000);
    expect(await explained('held-1')).toMatch(/^meta +\S+ +RETRY/m);
    expect((await millrace('resume', '--platform', 'meta')).out).toMatch(/^meta goes on; .*: größe 🛒$/m);
    expect((await millrace('resume', '--platform', 'meta')).out).toBe('meta was not paused\n');
    await expect.poll(() => explained('held-1')).toMatch(/^meta +delivered/m);
    expect(await incidents()).not.toContain('"held"');
    expect((await millrace('status')).out).not.toContain('paused for all merchants');
  });

  it.each([
    [['pause', '--platform', 'metta', '--reason', 'x'], 1, /platform/],
    [['pause', '--platform', '__proto__', '--reason', 'x'], 1, /platform/],
    [['pause', '--platform', 'meta'], 2, /--reason/],
    [['pause', '--reason', 'x'], 2, /--platform/],
    [['pause', '--platform', 'meta', '--reason', 'x'.repeat(501)], 1, /reason/],
    [['resume', 'meta'], 2, /takes nothing beside/],
  ] as const)('%j is refused', async (args, code, sentence) => {
    const refused = await millrace(...args);
    expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(sentence)]);
  });
});

describe('replay and verify', () => {
  it('send events once more, and count them once more', async () => {
    const { merchant_id } = session();
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const dry = await json<Plan>(
      'replay',
      merchant_id,
      '--from',
      from,
      '--all',
      '--platform',
      'meta',
      '--dry-run',
    );
    expect(dry).toMatchObject({ state: 'done', dry_run: true, platforms: ['meta'] });
    expect(dry.progress.sent).toBeGreaterThan(0);
    const done = await json<Plan>('replay', merchant_id, '--from', from, '--all', '--platform', 'meta');
    expect(done.progress.sent).toBe(dry.progress.sent);
    const again = await millrace('replay', merchant_id, '--follow', done.id);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining(`replay  ${done.id}`)]);
    const over = await millrace('replay', merchant_id, '--cancel', done.id);
    expect([over.code, over.err]).toEqual([1, expect.stringMatching(/over|ended|done/i)]);
    await expect
      .poll(async () => (await millrace('verify', merchant_id, '--from', from)).code, { interval: 2_000 })
      .toBe(0);
  });

  it.each([
    ['replay', '--from', 'gestern', /start/],
    ['replay', '--platform', 'metta', /platforms/],
    ['verify', '--from', '2026-13-01', /start/],
  ] as const)('%s %s %s is refused', async (command, option, value, sentence) => {
    const refused = await millrace(command, session().merchant_id, option, value);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(sentence)]);
    expect((await millrace('replay', 'x', '--rate', '-1')).code).toBe(2);
    expect((await millrace(command, UNKNOWN)).err).toMatch(/merchants list/);
  });
});

describe('export', () => {
  const listed = (at: string) => readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();

  it('writes whole files, goes on where it stopped, and says a full disk', async () => {
    const { merchant_id } = session();
    await accepted('exported-1');
    await expect.poll(async () => (await millrace('explain', merchant_id, 'exported-1')).code).toBe(0);
    const at = join(folder, 'größe 🛒');
    const hour = new Date().toISOString().slice(0, 13);
    mkdirSync(join(at, 'events'), { recursive: true });
    symlinkSync('/dev/full', join(at, 'events', `${hour}.ndjson.part`));
    const full = await millrace('export', merchant_id, '--folder', at);
    expect([full.code, full.err]).toEqual([1, expect.stringMatching(/is full.*repeat the command/)]);
    expect(listed(at)).toEqual(['events']);
    const done = await millrace('export', merchant_id, '--folder', at);
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/^[\d,]+ events in 1 new files/)]);
    const lines = readFileSync(join(at, 'events', `${hour}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id)).toContain('exported-1');
    expect(listed(at).filter((name) => /part|lock/.test(name))).toEqual([]);
    expect(listed(at)).toEqual(
      expect.arrayContaining(['account.json', 'audit-log.ndjson', 'platforms.json']),
    );
    expect(readFileSync(join(at, 'platforms.json'), 'utf8')).not.toContain('access_token":"EAA');
  });

  it('refuses a folder of another merchant, and of a process that runs', async () => {
    const { merchant_id } = session();
    const [other, busy, gone] = ['other', 'busy', 'gone'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const at of [other, busy, gone]) mkdirSync(at);
    writeFileSync(join(other, 'manifest.json'), `{"merchant":"${UNKNOWN}","files":{}}`);
    writeFileSync(join(busy, 'export.lock'), String(process.ppid));
    writeFileSync(join(gone, 'export.lock'), '4194304');
    const to = (at: string) => millrace('export', merchant_id, '--folder', at);
    expect((await to(other)).err).toMatch(/has the export of merchant/);
    expect((await to(busy)).err).toMatch(/exports to .* already/);
    expect((await to(gone)).code).toBe(0);
    expect((await to('/proc/nothing')).err).toMatch(/cannot be written/);
    expect((await millrace('export', UNKNOWN, '--folder', gone)).code).toBe(1);
    expect((await millrace('export', merchant_id, '--from', 'x')).code).toBe(2);
  });
});

describe('tail', () => {
  it('shows lines as they come, of one merchant, and whole ones as JSON', async () => {
    const { merchant_id } = session();
    const coming = millrace('tail', '--merchant', merchant_id, '--lines', '1', '--json');
    await pauseFor(1_000);
    await accepted('tailed-1');
    await send(session(), '/v1/events', { event_id: 'tailed-2' });
    const { code, out } = await coming;
    expect(code).toBe(0);
    expect(JSON.stringify(JSON.parse(out))).toContain(merchant_id);
    const before = await millrace('tail', '--since', '1h', '--lines', '2');
    expect(before.out.trim().split('\n')).toHaveLength(2);
    expect(before.out).toMatch(/^\d{4}-\d\d-\d\dT\S+Z (info|warn|error) /);
    expect(out + before.out).not.toContain('jane@example.com');
  });

  it.each([
    ['--since', 'gestern'],
    ['--lines', '0'],
    ['--lines', '-1'],
  ])('%s %s is refused', async (...args) => {
    expect((await millrace('tail', ...args)).code).toBe(2);
  });
});

describe('cost and doctor', () => {
  it('say dollars, and what is wrong with what to do', async () => {
    await accepted('paid-1');
    await expect.poll(async () => (await json<{ usd: number }>('cost')).usd).toBeGreaterThan(0);
    await millrace('pause', '--platform', 'x', '--reason', 'test');
    const sick = await millrace('doctor');
    expect([sick.code, sick.out]).toEqual([
      1,
      expect.stringMatching(/^x is paused .* +resume --platform x$/m),
    ]);
    await millrace('resume', '--platform', 'x');
    expect((await millrace('doctor')).out).not.toContain('x is paused');
  });
});

describe('completion', () => {
  it('completes commands, verbs and options, without a deployment', async () => {
    const { out } = await millrace('completion', 'bash');
    const complete = (...words: readonly string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${out}\nCOMP_WORDS=(millrace ${words.join(' ')}); COMP_CWORD=${words.length}; _millrace; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(complete('mer')).toBe('merchants');
    expect(complete('merchants', 'su')).toBe('suspend');
    expect(complete('pause', '--pl')).toBe('--platform');
    expect((await millrace('completion', 'fish')).code).toBe(2);
  });
});

it('does every line of the documents that asks a host', async () => {
  const { merchant_id } = session();
  await accepted('order-1');
  await expect.poll(async () => (await millrace('explain', merchant_id, 'order-1')).code).toBe(0);
  const said = new Map([
    ['My Shop', merchant_id],
    ['my-shop', join(folder, 'documented')],
  ]);
  for (const line of documentedLines.filter(isForHost)) {
    const words = line.map((word) => said.get(word) ?? word);
    const { code, out, err } = await millrace(...words);
    // What is just being counted may differ still.
    expect([words, code === 0 || line[0] === 'verify', out === '', err]).toEqual([words, true, false, err]);
  }
});
