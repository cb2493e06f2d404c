// Goal: a table is put back to a moment, whichever call fails on the way, and nothing is lost that is not meant to be; what cannot be
// done is refused before anything stands still. Method: the command line before an account of memory, whose past is known, and which
// fails at every call in turn.
import { describe, expect, it } from 'vitest';
import { openOperator } from '#test/support/operator.ts';
import {
  EVENTS,
  RESTORED_MS,
  type RestorableAccount,
  restorableAccount,
} from '#test/support/restorable-account.ts';
import { DEPLOYMENT, openTerminal } from '#test/support/terminal.ts';

const NOW_MS = 1_795_000_000_000;
const DAY_MS = 86_400_000;
const TIME = new Date(RESTORED_MS).toISOString();
const COPY = `${EVENTS}-20261110T080000000Z`;
const RESTORE = ['restore', '--table', 'events', '--to', '2026-11-10T08:00Z'];
const nothing = { ask: async () => ({ status: 500, body: {} }) } as unknown as Parameters<
  typeof openTerminal
>[0];

const millrace = ({ recovery }: RestorableAccount, answers: readonly string[] = []) => {
  const left = [...answers];
  let pauses = 0;
  return openTerminal(nothing, undefined, {
    recovery: () => recovery,
    question: async () => left.shift() ?? '',
    pause: async () => {
      pauses += 1;
      if (pauses > 100) throw new Error('waits for ever');
    },
  });
};
const past = { windowMs: [7 * DAY_MS, 8 * DAY_MS] };

/** What is left of it all. */
function outcome({ state }: RestorableAccount) {
  const { items, isProtected, expiry, tags, days, id } = state.tables.get(EVENTS) ?? {};
  return {
    ...{ items, isProtected, expiry, tags, days, isOriginal: id === 'table-1' },
    tables: [...state.tables].flatMap(([name, { becomes }]) => (becomes === null ? [] : [name])).sort(),
    functions: Object.fromEntries(state.functions),
    purged: [...state.purged],
    parameters: [...state.parameters.keys()],
  };
}
const FUNCTIONS = {
  'MillraceEvents-Ingestion': 400,
  'MillraceEvents-Sweep': null,
  'MillraceEvents-Paused': 0,
};
const RESTORED = {
  items: ['a'],
  isProtected: true,
  // The sweep's.
  expiry: null,
  tags: { application: 'millrace' },
  days: 35,
  isOriginal: false,
  tables: ['MillraceCore-Config', EVENTS],
  functions: FUNCTIONS,
  purged: ['https://sqs.example/1/accepted', 'https://sqs.example/1/dead'],
  parameters: [],
};
const UNTOUCHED = { ...RESTORED, items: ['a', 'b', 'bad'], expiry: 'expires', isOriginal: true, purged: [] };

describe('a restore', () => {
  it('does what its plan says, in this order, and asks before it begins and before it deletes', async () => {
    const account = restorableAccount(past);
    const { code, out, err } = await millrace(account, ['events', 'events'])(...RESTORE);
    expect([code, outcome(account)]).toEqual([0, RESTORED]);
    expect(out).toContain('items  1, where there were 3');
    expect(out).toContain('differs in /Properties/TimeToLiveSpecification');
    expect(err).toContain('asks whether the original may go (events)');
    const changes = account.state.calls.filter((call) =>
      /^(?:setC|restore|backUp|protect|deleteT|tag|expire|purge|recover)/.test(call),
    );
    expect(changes).toEqual([
      ...Object.keys(FUNCTIONS).map((name) => `setConcurrency ${name}`),
      `restoreToTime ${EVENTS} ${COPY}`,
      `backUp ${COPY} restored`,
      `backUp ${COPY} restored`,
      `protect ${EVENTS}`,
      `deleteTable ${EVENTS}`,
      `restoreBackup arn:${COPY}/backup/0 ${EVENTS}`,
      `recoverToTime ${EVENTS}`,
      `recoverToTime ${EVENTS}`,
      `protect ${EVENTS}`,
      `tag arn:${EVENTS}`,
      ...RESTORED.purged.map((url) => `purge ${url}`),
      ...Object.keys(FUNCTIONS).map((name) => `setConcurrency ${name}`),
      `deleteTable ${COPY}`,
    ]);
  });

  it('ends the same whichever call fails, before or after it did something, when it is repeated', async () => {
    const whole = restorableAccount(past);
    await millrace(whole)(...RESTORE, '--yes');
    const calls = whole.state.calls.length;
    expect(calls).toBeGreaterThan(40);
    for (let failsAt = 1; failsAt <= calls; failsAt++)
      for (const failsAfter of [false, true]) {
        const account = restorableAccount(past);
        Object.assign(account.state, { failsAt, failsAfter });
        const broken = await millrace(account)(...RESTORE, '--yes');
        // The lock of a deployment ends by itself, a quarter of an hour later.
        account.state.parameters.delete('/millrace/deploying');
        const again = broken.code === 0 ? broken : await millrace(account)(...RESTORE, '--yes');
        const at = `${account.state.calls[failsAt - 1]}, ${failsAfter ? 'after' : 'before'}`;
        expect([at, again.code, outcome(account)]).toEqual([at, 0, RESTORED]);
        expect(account.state.running).toEqual([]);
      }
  });

  it('does not take away a table that has the name by now, nor the original without a backup', async () => {
    const account = restorableAccount(past);
    account.state.denied.add('deleteTable');
    expect((await millrace(account)(...RESTORE, '--yes')).code).toBe(1);
    account.state.denied.clear();
    const [[arn, backup] = ['', undefined]] = account.state.backups;
    account.state.backups.clear();
    const refused = await millrace(account)(...RESTORE, '--yes');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('nothing was deleted')]);
    if (backup !== undefined) account.state.backups.set(arn, backup);
    // By hand meanwhile.
    const original = account.state.tables.get(EVENTS);
    if (original !== undefined)
      account.state.tables.set(EVENTS, { ...original, id: 'by hand', items: ['mended'], isProtected: true });
    expect((await millrace(account)(...RESTORE, '--yes')).code).toBe(0);
    expect(outcome(account)).toMatchObject({ items: ['mended'], functions: FUNCTIONS });
  });

  it('switches expiry on where no page depends on it, once, also when it was broken off there', async () => {
    const config = ['restore', '--table', 'config', '--to', TIME, '--yes', '--no-count'];
    const whole = restorableAccount(past);
    expect((await millrace(whole)(...config)).code).toBe(0);
    expect(whole.state.tables.get('MillraceCore-Config')?.expiry).toBe('expires');
    expect(whole.state.calls.filter((call) => call.startsWith('countItems'))).toEqual([]);
    const account = restorableAccount(past);
    account.state.failsAt = whole.state.calls.findIndex((call) => call.startsWith('expire')) + 1;
    account.state.failsAfter = true;
    expect((await millrace(account)(...config)).code).toBe(1);
    expect((await millrace(account)(...config)).code).toBe(0);
    expect(account.state.tables.get('MillraceCore-Config')?.expiry).toBe('expires');
  });

  it('says in JSON what was done, and that auto scaling is not', async () => {
    const account = restorableAccount(past);
    account.state.isProvisioned = true;
    const { out } = await millrace(account)(...RESTORE, '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ part: 'events', table: EVENTS, to: TIME, items: { original: 3, restored: 1 } },
      notes: expect.arrayContaining([expect.stringContaining('Auto scaling')]),
    });
  });

  it('opens though what differs cannot be seen', async () => {
    const account = restorableAccount(past);
    account.state.denied.add('drift');
    const { code, out } = await millrace(account)(...RESTORE, '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Drift was not looked at')]);
    expect(outcome(account)).toEqual(RESTORED);
  });
});

describe('nothing is done', () => {
  it.each([
    ['without a table', ['restore', '--to', TIME], 2, /--table events/],
    ['without a time', ['restore', '--table', 'events'], 2, /--to takes a time with its zone/],
    ['for a time without a zone', [...RESTORE.slice(0, 4), '2026-11-10T08:00'], 2, /with its zone/],
    ['for a day that is none', [...RESTORE.slice(0, 4), '2026-02-30'], 2, /with its zone/],
    [
      'for an unknown table',
      ['restore', '--table', 'orders', '--to', TIME],
      1,
      /There is no table orders: config, events/,
    ],
    ['for the future', [...RESTORE.slice(0, 4), '2026-11-19T08:00:00Z'], 1, /is in the future/],
    ['for the last minutes', [...RESTORE.slice(0, 4), '2026-11-18T11:06Z'], 1, /from .* to 2026-11-18T08/],
    ['for what is too long ago', [...RESTORE.slice(0, 4), '2026-10-01'], 1, /from .* to /],
    ['where nothing is under way to abandon', [...RESTORE, '--abandon'], 1, /No restore is under way/],
    ['when that is not what was typed', RESTORE, 1, /Nothing was done/],
    ['in a dry run', [...RESTORE, '--dry-run'], 0, /^$/],
  ])('%s', async (_what, args, expected, sentence) => {
    const account = restorableAccount(past);
    const { code, err, out } = await millrace(account, ['event'])(...args);
    expect([code, err]).toEqual([expected, expect.stringMatching(sentence)]);
    if (expected === 0) expect(out).toContain('12. deletes what was restored beside it');
    expect(outcome(account)).toEqual(UNTOUCHED);
  });

  it('beside a deployment', async () => {
    const account = restorableAccount(past);
    const held = JSON.stringify({ who: 'ben', token: 't', renewedAt: new Date(NOW_MS).toISOString() });
    account.state.parameters.set('/millrace/deploying', held);
    const { code, err } = await millrace(account)(...RESTORE, '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('ben is deploying this')]);
    expect(outcome(account)).toEqual({ ...UNTOUCHED, parameters: ['/millrace/deploying'] });
  });

  it('without the rights, and one who has them goes on', async () => {
    const account = restorableAccount(past);
    account.state.denied.add('restoreToTime');
    const { code, err } = await millrace(account)(...RESTORE, '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('AWS does not allow it')]);
    account.state.denied.clear();
    const other = await millrace(account)('restore', '--table', 'events', '--to', 'latest', '--yes');
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining(
        'go on with npx millrace restore --table MillraceEventsData-Events --to 2026-11-10T08:00Z',
      ),
    ]);
    expect((await millrace(account)(...RESTORE, '--yes')).code).toBe(0);
    expect(outcome(account)).toEqual(RESTORED);
  });
});

describe('what was begun', () => {
  it('is abandoned while the original is there, and all is as it was', async () => {
    const account = restorableAccount(past);
    const { code, err } = await millrace(account, ['events', 'no'])(...RESTORE);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Nothing was deleted, and all functions stand still'),
    ]);
    expect(outcome(account).functions).toMatchObject({ 'MillraceEvents-Sweep': 0 });
    const { out } = await millrace(account)(...RESTORE, '--abandon');
    expect(out).toContain(`delete ${COPY}`);
    expect(outcome(account)).toEqual({ ...UNTOUCHED, tables: [...UNTOUCHED.tables, COPY].sort() });
  });

  it('is not abandoned once it is gone', async () => {
    const account = restorableAccount(past);
    account.state.denied.add('restoreBackup');
    await millrace(account)(...RESTORE, '--yes');
    const { code, err } = await millrace(account)(...RESTORE, '--abandon');
    expect([code, err]).toEqual([1, expect.stringContaining('The original is gone: go on with')]);
  });

  it('is refused on a host of this machine', async () => {
    const { tables, operator } = await openOperator();
    const { code, err } = await openTerminal(operator(), undefined, {
      find: async () => ({ ...DEPLOYMENT, token: 't' }),
    })(...RESTORE);
    await tables.close();
    expect([code, err]).toEqual([1, expect.stringContaining('copy its folder')]);
  });
});
