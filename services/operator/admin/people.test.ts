// Goal: a person is a member after one request, in the user pool as well; a refused one leaves nothing, and no mail is sent for it.
import { beforeEach, describe, expect, it } from 'vitest';
import { type OperatorTables, openOperator } from '#test/support/operator.ts';

interface Invited {
  readonly person: {
    readonly subject: string;
    readonly role: string;
    readonly state: string;
    readonly is_new: boolean;
  };
  readonly details: readonly { readonly path: string; readonly message: string }[];
}
interface Listed {
  readonly people: readonly {
    readonly email: string | null;
    readonly role: string;
    readonly subject: string;
  }[];
  readonly invitations: readonly unknown[];
}

let opened: Awaited<ReturnType<typeof openOperator>>;
let tables: OperatorTables;
beforeEach(async () => {
  opened = await openOperator();
  ({ tables } = opened);
  return () => tables.close();
});

async function shop(options: Parameters<(typeof opened)['operator']>[0] = {}, more: object = {}) {
  const asked = opened.operator(options);
  const made = await asked.ask<{ readonly merchant: { readonly id: string } }>({
    name: 'Shop',
    owner: 'owner@shop.example',
    keys: [],
    ...more,
  });
  const { id } = made.body.merchant;
  const invite = (body: object) => asked.ask<Invited>({ merchant: id, ...body }, { path: 'people/invite' });
  const list = async () => (await asked.ask<Listed>({ merchant: id }, { path: 'people/list' })).body;
  return { ...asked, id, invite, list };
}

describe('a person is invited', () => {
  it('and a member at once, with a mail of the user pool', async () => {
    const { invite, list, invited, ports, audit, id } = await shop();
    const { status, body } = await invite({ email: 'Anna@Shop.example', role: 'agent' });
    expect([status, body.person]).toEqual([
      201,
      {
        email: 'anna@shop.example',
        subject: 'sub-anna@shop.example',
        role: 'agent',
        state: 'invited',
        is_new: true,
      },
    ]);
    expect(invited).toEqual(['owner@shop.example', 'anna@shop.example']);
    expect((await ports.config.memberships('sub-anna@shop.example'))[0]).toMatchObject({
      merchantId: id,
      role: 'agent',
    });
    expect((await list()).people.map(({ email, role }) => [email, role])).toEqual([
      ['owner@shop.example', 'owner'],
      ['anna@shop.example', 'agent'],
    ]);
    const log = (await audit.listAudit(id, 20)).map(({ actor, action }) => `${actor} ${action}`);
    expect(log).toContain('operator:anna member.add_agent');
    expect(log).toContain('operator:anna member.list');
  });

  it('once, however often it is asked, with one mail', async () => {
    const { invite, list, invited, audit, id } = await shop();
    await invite({ email: 'anna@shop.example', role: 'agent' });
    const { status, body } = await invite({ email: 'ANNA@shop.example', role: 'agent' });
    expect([status, body.person.state, body.person.is_new]).toEqual([200, 'known', false]);
    expect([invited.length, (await list()).people.length]).toEqual([2, 2]);
    const added = (await audit.listAudit(id, 20)).filter(({ action }) => action === 'member.add_agent');
    expect(added).toHaveLength(1);
  });

  it('by two at once, as one member', async () => {
    const { invite, list } = await shop();
    const both = [1, 2].map(() => invite({ email: 'anna@shop.example', role: 'viewer' }));
    const people = (await Promise.all(both)).map(({ body }) => body.person.is_new);
    expect(people.sort()).toEqual([false, true]);
    expect((await list()).people).toHaveLength(2);
  });

  it('wholly, where an attempt broke off behind the mail', async () => {
    const { invite, list, ports } = await shop();
    const { seal } = ports.vault;
    Object.assign(ports.vault, { seal: () => Promise.reject(new Error('no vault')) });
    expect((await invite({ email: 'anna@shop.example', role: 'agent' })).status).toBe(500);
    Object.assign(ports.vault, { seal });
    expect((await invite({ email: 'anna@shop.example', role: 'agent' })).body.person.is_new).toBe(true);
    expect((await list()).people).toHaveLength(2);
  });

  it('and of a second merchant, where the person has another role', async () => {
    const { invite, list, ask, invited, ports, id } = await shop();
    await invite({ email: 'anna@shop.example', role: 'agent' });
    const other = await ask<{ readonly merchant: { readonly id: string } }>({
      name: 'Other',
      owner: 'other@shop.example',
      keys: [],
    });
    const merchant = other.body.merchant.id;
    const { status, body } = await invite({ merchant, email: 'anna@shop.example', role: 'admin' });
    expect([status, body.person.state, invited.length]).toEqual([201, 'known', 3]);
    const standing = await ports.config.memberships('sub-anna@shop.example');
    expect(standing.map(({ merchantId, role }) => [merchantId, role]).sort()).toEqual(
      [
        [id, 'agent'],
        [merchant, 'admin'],
      ].sort(),
    );
    expect((await list()).people).toHaveLength(2);
  });

  it('with the subject that another issuer gives, where there is no user pool', async () => {
    const { invite, ports } = await shop({ hasPool: false }, { subject: 'sub-owner' });
    const { body } = await invite({ email: 'anna@shop.example', role: 'admin', subject: 'sub-anna' });
    expect([body.person.subject, body.person.state]).toEqual(['sub-anna', 'known']);
    expect((await ports.config.memberships('sub-anna'))[0]?.role).toBe('admin');
  });
});

describe('a refused invitation leaves nothing behind', () => {
  const ANNA = { email: 'anna@shop.example', role: 'agent' };
  it.each([
    ['an address that is none', { ...ANNA, email: 'anna' }, 400, 'email'],
    ['a role that is none', { ...ANNA, role: 'boss' }, 400, 'role'],
    ['no role', { email: ANNA.email }, 400, 'role'],
    ['a subject beside a user pool', { ...ANNA, subject: 'x' }, 400, 'subject'],
    ['no merchant', { ...ANNA, merchant: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11' }, 404, 'merchant'],
  ])('%s', async (_what, body, status, path) => {
    const { invite, invited } = await shop();
    const before = await tables.keys();
    const refused = await invite(body);
    expect([refused.status, refused.body.details[0]?.path]).toEqual([status, path]);
    expect([await tables.keys(), invited]).toEqual([before, ['owner@shop.example']]);
  });

  it('of a person with another role, or to a suspended merchant', async () => {
    const { invite, invited, ask, id } = await shop();
    await invite(ANNA);
    const before = await tables.keys();
    const role = await invite({ ...ANNA, role: 'admin' });
    expect([role.status, role.body.details[0]?.path]).toEqual([409, 'role']);
    expect(await tables.keys()).toEqual(before);
    await ask({ merchant: id, reason: 'x' }, { path: 'merchants/suspend' });
    const suspended = await invite({ ...ANNA, email: 'bea@shop.example' });
    expect([suspended.status, suspended.body.details[0]?.path]).toEqual([409, 'merchant']);
    expect(invited).toHaveLength(2);
  });
});
