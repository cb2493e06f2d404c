// Goal: what an operator types is done or refused in a sentence, with the exit code that says which. Method: the command line before
// the real operator function, over emulated tables; no AWS.
import { beforeEach, describe, expect, it } from 'vitest';
import { createNewMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';
import { openTerminal } from '#test/support/terminal.ts';
import { COMMANDS } from './commands/all.ts';
import { queueUrlsIn } from './deployment.ts';

let opened: Awaited<ReturnType<typeof openOperator>>;
let tables: OperatorTables;
beforeEach(async () => {
  opened = await openOperator();
  ({ tables } = opened);
  return () => tables.close();
});

const terminal = ({
  hasPool = true,
  answers = undefined as { status: number; body: string } | undefined,
} = {}) => openTerminal(opened.operator({ hasPool }), answers);

const create = (name: string, owner = 'you@shop.example') => ['merchants', 'create', name, '--owner', owner];

describe('a command that is asked wrongly ends with 2, and asks nothing', () => {
  it.each([
    ['no such command', ['merchants', 'delete', 'x'], /There is no command merchants delete/],
    ['no name', ['merchants', 'create', '--owner', 'a@b.example'], /merchants create takes <name>/],
    ['two names', [...create('My'), 'Shop'], /in quotes/],
    ['no owner', ['merchants', 'create', 'Shop'], /--owner/],
    ['an unknown option', ['merchants', 'list', '--all'], /Unknown option '--all'/],
    ['something where nothing is taken', ['merchants', 'list', 'x'], /takes nothing beside its options/],
  ])('%s', async (_what, args, sentence) => {
    const { code, out, err } = await terminal({ answers: { status: 500, body: 'asked' } })(...args);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)]);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('help', () => {
  it.each([[], ['--help'], ['-h']])('names every command: %s', async (...args: readonly string[]) => {
    const { code, out } = await terminal()(...args.flat());
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(out).toContain(`npx millrace ${name}`);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s names its options',
    async (name, { options = {} }) => {
      const { code, out } = await terminal()(...name.split(' '), '--help');
      expect(code).toBe(0);
      for (const option of [...Object.keys(options), 'json', 'emulator'])
        expect(out).toContain(`--${option}`);
    },
  );
});

describe('a refusal ends with 1 and says why', () => {
  it('of a function that does not know the command', async () => {
    const answers = { status: 404, body: '{"error":"There is no such path.","code":"route_not_found"}' };
    const { code, err } = await terminal({ answers })('merchants', 'list');
    expect([code, err]).toEqual([1, expect.stringContaining('deploy this release first')]);
  });

  it('of AWS, to an operator without the right', async () => {
    const { code, err } = await terminal({ answers: { status: 403, body: '{"Message":"Forbidden"}' } })(
      'merchants',
      'list',
    );
    expect([code, err]).toEqual([1, expect.stringContaining('OperatorAdminPolicyArn')]);
  });

  it('of a merchant that is none', async () => {
    const run = terminal();
    const id = '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11';
    const unknown = await run('merchants', 'show', id);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('merchants list')]);
    const unnamed = await run('merchants', 'show', 'Nothing');
    expect([unnamed.code, unnamed.err]).toEqual([
      1,
      expect.stringContaining('No merchant is called Nothing'),
    ]);
  });
});

describe('merchants', () => {
  it('are listed in columns, and as JSON', async () => {
    const run = terminal();
    expect((await run('merchants', 'list')).out).toContain('There is no merchant yet');
    await run(...create('Café Übersee'));
    await run(...create('B & C', 'other@shop.example'), '--test');
    const { code, out, err } = await run('merchants', 'list');
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Found by reading [\d.,]+ units of the config table/),
    ]);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^ID +NAME +STATE +KEYS +OWNER +CREATED +PLAN +PLATFORMS +INCIDENTS +EVENTS$/);
    expect(rows.map((row) => row.slice(head.indexOf('NAME'))).sort()).toEqual([
      expect.stringMatching(/^B & C +active +test +other@shop\.example +2026-11-18 +free +0 +0 +0$/),
      expect.stringMatching(/^Café Übersee +active +live +you@shop\.example +2026-11-18 +free +0 +0 +0$/),
    ]);
    const listed = JSON.parse((await run('merchants', 'list', '--json')).out) as { readonly name: string }[];
    expect(listed.map(({ name }) => name).sort()).toEqual(['B & C', 'Café Übersee']);
  });

  it('are shown by id or by name; of two of one name the ids are said', async () => {
    const run = terminal();
    await run(...create('Shop'));
    const shown = await run('merchants', 'show', 'SHOP');
    const id = /^id +(\S+)$/m.exec(shown.out)?.[1] ?? '';
    expect(shown.out).toMatch(/^owner +you@shop\.example$/m);
    expect((await run('merchants', 'show', id)).out).toBe(shown.out);
    await run(...create('Shop', 'second@shop.example'));
    const { code, err } = await run('merchants', 'show', 'Shop');
    expect([code, err]).toEqual([1, expect.stringContaining(id)]);
  });

  it('say which of them a person made', async () => {
    const run = terminal();
    await createNewMerchantStore(tables.db, tables.table).addMerchant({
      merchantId: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11',
      name: 'Own Shop',
      email: 'ann@shop.example',
      onboardingStep: 'connect',
      onboardingCompleted: false,
      createdAtMs: OPERATED_MS,
      browserIngestion: { enabled: true, origins: [] },
      signUp: 'a'.repeat(64),
      limits: { serverEventsPerDay: 10_000 },
    });
    expect((await run('merchants', 'list')).out).toMatch(/Own Shop +active .*2026-11-18, signed up +free/);
    const shown = (await run('merchants', 'show', 'Own Shop')).out;
    expect(shown).toMatch(/^created .*, signed up$/m);
    expect(shown).toMatch(/^limits +.*server events per day: 10,000/m);
  });

  it('are suspended with a reason and go on again, as often as it is said', async () => {
    const run = terminal();
    await run(...create('Shop'));
    const without = await run('merchants', 'suspend', 'Shop');
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('--reason')]);
    const suspend = () => run('merchants', 'suspend', 'Shop', '--reason', 'not paid');
    expect((await suspend()).out).toMatch(/is suspended\n2 keys and all members are refused/);
    expect((await suspend()).out).toContain('was suspended already, by operator:anna: not paid');
    expect((await run('merchants', 'show', 'Shop')).out).toMatch(/^state +suspended since .+: not paid$/m);
    expect((await run('merchants', 'resume', 'Shop')).out).toContain('goes on');
    const { code, out } = await run('merchants', 'resume', 'Shop', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { changed: false, suspended: null }]);
  });

  it('have limits, which are shown, set, and taken back', async () => {
    const run = terminal();
    await run(...create('Shop'));
    const limits = (...change: readonly string[]) => run('merchants', 'limits', 'Shop', ...change);
    expect((await limits()).out).toMatch(/^events-per-minute +1,200,000 +as for all$/m);
    const set = await limits('--events-per-minute', '2000000', '--replays-per-day', '5');
    expect(set.out).toMatch(/^events-per-minute +2,000,000 +its own$/m);
    expect((await run('merchants', 'show', 'Shop')).out).toMatch(
      /^limits +server events per minute: 2,000,000, replays per day: 5$/m,
    );
    expect((await limits('--events-per-minute', 'default')).out).toMatch(/^events-per-minute +1,200,000/m);
    for (const wrong of ['0', '1e9', '-1', 'many'])
      expect((await limits(`--events-per-minute=${wrong}`)).code).toBe(2);
    const { code, err } = await limits('--browser-events-per-minute', '600001');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('browser_events_per_minute must be at most 600000'),
    ]);
  });
});

describe('people', () => {
  it('are invited to a merchant and listed', async () => {
    const run = terminal();
    await run(...create('Shop'));
    const invite = () => run('people', 'invite', 'Shop', 'anna@shop.example', '--role', 'agent');
    expect((await invite()).out).toMatch(
      /^anna@shop\.example is agent now; a mail brings the first password/,
    );
    expect((await invite()).out).toMatch(/^anna@shop\.example was agent already {2}\(sub-anna/);
    const { code, out } = await run('people', 'list', 'Shop');
    expect([code, out]).toEqual([0, expect.stringMatching(/^you@shop\.example +owner +2026-/m)]);
    expect(out).toMatch(/^anna@shop\.example +agent +2026-\S+ \S+ UTC +sub-anna@shop\.example$/m);
  });

  it.each([[[]], [['--role', 'boss']]])('are not invited without a role that there is: %j', async (role) => {
    const { code, err } = await terminal()('people', 'invite', 'Shop', 'anna@shop.example', ...role);
    expect([code, err]).toEqual([2, expect.stringContaining('--role viewer, agent, member, admin, owner')]);
  });
});

describe('status', () => {
  it('is one screen: queues, what is due, and no trouble', async () => {
    const run = terminal();
    await run(...create('Shop'));
    const { code, out } = await run('status');
    expect(code).toBe(0);
    expect(out).toContain('near enough, not exact');
    expect(out).toMatch(/^dead letters +26 +2 +1$/m);
    expect(out).toMatch(/^events +0 +none$/m);
    expect(out).toContain('No merchant of 1 has trouble.');
  });

  it('names merchants with trouble, and is JSON where that is asked for', async () => {
    const run = terminal();
    await run(...create('Shop'));
    await run('merchants', 'suspend', 'Shop', '--reason', 'not paid');
    expect((await run('status')).out).toMatch(/^1 of 1 merchants with trouble\n.*\n\S+ +Shop +suspended$/m);
    const json = JSON.parse((await run('status', '--json')).out) as object;
    expect(json).toMatchObject({
      approximate_queues: [
        { name: 'accepted', waiting: 30, in_flight: 2, delayed: 1 },
        { name: 'dead letters', waiting: 26 },
      ],
      merchants_seen: 1,
      merchants_in_trouble: [{ name: 'Shop', state: 'suspended' }],
    });
  });

  it('says what platforms took of all merchants, over all pages, and with which codes they refused', async () => {
    const page = (cursor: string | null, platforms: readonly object[], unread = 0) => ({
      ...{ success: true, seen: 1, since: '2026-11-27T07:00:00.000Z', platforms, unread },
      ...{ merchants: [], next_cursor: cursor, read_units: 0 },
    });
    const none = { delivered: 0, refused: 0, given_up: 0, waiting: 0, codes: {} };
    const x = { ...none, platform: 'x', refused: 500, codes: { auth: 499, other: 1 } };
    const meta = { ...none, platform: 'meta', delivered: 12, waiting: 3 };
    const pages = [page('2', [x]), page(null, [meta, { ...x, refused: 1, codes: { other: 700 } }], 1)];
    const answers = new Map([
      ['platforms/paused', { paused: [] }],
      ['status/due', { due: [] }],
    ]);
    const post = async (url: string) => ({
      status: 200,
      body: JSON.stringify(answers.get(url.split('/operator/v1/')[1] ?? '') ?? pages.shift()),
    });
    const { out, err } = await openTerminal(opened.operator(), undefined, { post })('status');
    expect(out).toContain("Deliveries of all merchants' events since 2026-11-27 07:00 UTC\n");
    expect(out).toMatch(/^meta +12 +0 +0 +3$/m);
    expect(out).toMatch(/^x +0 +501 +0 +0 +other 701, auth 499$/m);
    expect(err).toContain('1 slots of counters cannot be read');
  });

  it('takes its queues from the outputs of the stacks', () => {
    const outputs = new Map([
      ['DeadLetterQueueUrl', 'd'],
      ['HelpdeskRunWorkQueueUrl', 'r'],
      ['DeliveryQueueUrls', '{"":"https://sqs/1/","meta":"m"}'],
      ['ApiUrl', 'a'],
    ]);
    expect(Object.entries(queueUrlsIn(outputs))).toEqual([
      ['dead letter', 'd'],
      ['deliveries meta', 'https://sqs/1/m'],
      ['helpdesk run work', 'r'],
    ]);
  });
});
