// Goal: what AWS holds and should not, or lacks, is a line that says what to do; what is as it was deployed is none. Method: the command
// over the real templates, as AWS would have deployed them, each part then spoiled; CloudWatch's query API by its reference.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordOf } from '#cdk/deployed-settings.ts';
import { resourcesOf, synthesized } from '#test/infrastructure/synthesized.ts';
import { openOperator } from '#test/support/operator.ts';
import { openTerminal } from '#test/support/terminal.ts';
import { alarmNow } from './alarm-now.ts';
import { type Deployed, guardsIn, restingIn } from './deployed.ts';
import type { Finding } from './findings.ts';

const VALUES = { account: '111122223333', signUp: true };
const app = () => synthesized({ ephemeral: false });

function healthy(): Deployed {
  const resting = restingIn(app().template.Resources);
  return {
    record: recordOf('production', VALUES),
    unseen: [],
    alarms: resourcesOf(app(), 'AWS::CloudWatch::Alarm').map(({ id: name }) => ({
      name,
      now: { state: 'OK', isOn: true, acts: true },
    })),
    tables: resourcesOf(app(), 'AWS::DynamoDB::Table').map((table) => ({
      name: table.id,
      wanted: guardsIn(table),
      now: guardsIn(table),
    })),
    sources: resourcesOf(app(), 'AWS::Lambda::EventSourceMapping').map(({ id: name }) => ({
      name,
      state: resting.has(name) ? 'Disabled' : 'Enabled',
      mayRest: resting.has(name),
    })),
  };
}

let opened: Awaited<ReturnType<typeof openOperator>>;
beforeEach(async () => {
  opened = await openOperator();
  return () => opened.tables.close();
});

async function examined(deployed: Deployed | null, own: object | null = VALUES) {
  const run = openTerminal(opened.operator(), undefined, {
    deployed: async () => deployed,
    ownSettings: () => (own === null ? null : { file: 'production', values: { ...own } }),
    queueFigures: async () => ({ waiting: 0, inFlight: 0, delayed: 0 }),
  });
  const { code, out, err } = await run('doctor', '--json');
  return { code, err, found: (JSON.parse(out) as { readonly findings: readonly Finding[] }).findings };
}

describe('a deployment as it was deployed', () => {
  it('has nothing wrong, its resting sources included', async () => {
    const { alarms, tables, sources } = healthy();
    expect([alarms.length, tables.length, sources.length].every((n) => n > 5)).toBe(true);
    expect(tables.filter(({ wanted }) => wanted.expiry !== null).length).toBeGreaterThan(3);
    expect(tables.every(({ wanted }) => wanted.isProtected && wanted.isRecoverable)).toBe(true);
    expect(new Set(sources.map(({ mayRest }) => mayRest))).toEqual(new Set([true, false]));
    expect(await examined(healthy())).toEqual({ code: 0, err: '', found: [] });
  });

  it('is said not to be looked at where there is no AWS, and settings where there is no file', async () => {
    expect(await examined(null)).toMatchObject({
      code: 0,
      found: [],
      err: expect.stringContaining('alarms'),
    });
    expect(await examined(healthy(), null)).toMatchObject({
      code: 0,
      err: expect.stringContaining('no file'),
    });
  });
});

describe('what may not be asked', () => {
  it('is said, and hides nothing else', async () => {
    const { record: _, ...others } = healthy();
    const { code, err, found } = await examined({ ...others, unseen: ['AWS does not allow it'] });
    expect([code, err, found]).toEqual([0, 'Not looked at: AWS does not allow it\n', []]);
  });

  it('is no fault of what is ephemeral, which keeps no record', async () => {
    const tables = healthy().tables.map((one) => ({ ...one, wanted: { ...one.wanted, isProtected: false } }));
    expect((await examined({ ...healthy(), tables, record: null })).found).toEqual([]);
  });
});

describe('a line says what is wrong, and what to do:', () => {
  const first = <Key extends 'alarms' | 'tables' | 'sources'>(key: Key, change: object): Deployed => {
    const all = healthy();
    const [one, ...others] = all[key] as readonly object[];
    return { ...all, [key]: [{ ...one, ...change }, ...others] };
  };
  const guards = { expiry: 'expires', isRecoverable: true, isProtected: true };
  const table = (now: object | null) =>
    first('tables', { wanted: guards, now: now && { ...guards, ...now } });
  const alarm = (now: object | null) =>
    first('alarms', { name: 'A', now: now && { state: 'OK', isOn: true, acts: true, ...now } });

  it.each<[string, () => Deployed, RegExp, RegExp]>([
    ['no record', () => ({ ...healthy(), record: null }), /not kept/, /deploy/],
    ['a record that is none', () => ({ ...healthy(), record: '{}' }), /cannot be read/, /anew/],
    [
      'a setting that the file lost',
      () => ({ ...healthy(), record: recordOf('production', { ...VALUES, dashboard: 'true' }) }),
      /dashboard .*not in the file/,
      /production\.json/,
    ],
    ['another file', () => ({ ...healthy(), record: recordOf('staging', VALUES) }), /from staging/, /mend/],
    ['an alarm that is gone', () => alarm(null), /alarm A is gone/, /deploy/],
    ['one that stands', () => alarm({ state: 'ALARM' }), /alarm A stands/, /runbook/],
    ['one that is off', () => alarm({ isOn: false }), /switched off/, /enable-alarm-actions/],
    ['one without an action', () => alarm({ acts: false }), /to no one/, /topic/],
    ['a table that is gone', () => table(null), /table .* is gone/, /restore\.md/],
    ['one that keeps what expired', () => table({ expiry: null }), /expired stays/, /pages/],
    [
      'one that cannot be restored',
      () => table({ isRecoverable: false }),
      /point in time/,
      /continuous-backups/,
    ],
    ['one that may be deleted', () => table({ isProtected: false }), /may be deleted/, /deletion-protection/],
    ['a source that is gone', () => first('sources', { state: 'gone' }), /source is gone/, /deploy/],
    [
      'a source that is off and never rests',
      () => first('sources', { state: 'Disabled', mayRest: false }),
      /is disabled, and never rests/,
      /--enabled/,
    ],
  ])('%s', async (_what, deployed, what, todo) => {
    const { code, found } = await examined(deployed());
    expect([code, found]).toEqual([
      1,
      [{ what: expect.stringMatching(what), todo: expect.stringMatching(todo) }],
    ]);
  });
});

describe('an alarm of CloudWatch', () => {
  const ALARM = `<MetricAlarms><member><AlarmName>A&amp;B</AlarmName><ActionsEnabled>false</ActionsEnabled>
    <OKActions/><AlarmActions>\n<member>arn:aws:sns:x</member></AlarmActions><Dimensions><member><Name>n</Name></member>
    </Dimensions><StateValue>ALARM</StateValue></member></MetricAlarms>`;
  const asked: string[] = [];
  const answering = async (status: number, text: string) => {
    const server = createServer((request, response) => {
      request.on('data', (bytes) => asked.push(String(bytes)));
      request.on('end', () => response.writeHead(status).end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    closing = () => void server.close();
  };
  let closing = () => {};
  afterEach(() => closing());

  it('is read by its name, as it is now, or is gone', async () => {
    await answering(200, ALARM);
    expect(await alarmNow('A&B', 'eu-central-1')).toEqual({ state: 'ALARM', isOn: false, acts: true });
    expect(asked.join()).toBe('Action=DescribeAlarms&Version=2010-08-01&AlarmNames.member.1=A%26B');
    closing();
    await answering(200, '<MetricAlarms/>');
    expect(await alarmNow('A', 'eu-central-1')).toBeNull();
  });

  it('is a sentence where AWS does not allow it', async () => {
    await answering(403, '<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
    await expect(alarmNow('A', 'eu-central-1')).rejects.toThrow('AWS does not allow it: the alarm A');
  });
});
