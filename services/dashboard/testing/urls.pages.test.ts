// Goal: any URL shows a working page: unknown values, ids of another shop, pages that do not exist. Method: every page
// of the list, with the same hostile query; and two ids of one form, one of another shop and one unused, compared with
// each other.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { openDesk } from '#test/support/dashboard/desk.ts';
import { PAGES } from '#test/support/dashboard/page-list.ts';
import { newPeople, openEmptyShop, tokenOf } from '#test/support/dashboard/people.ts';
import { sendOrders, sendSamples } from '#test/support/dashboard/sample-events.ts';
import { tooWide } from '#test/support/dashboard/seen.ts';
import { followed, steadyTree } from '#test/support/dashboard/trees.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const NAMES =
  'range status outcome platform name source currency search from to id step show queue order sort action model limit event page cursor offset';
const QUERIES: Readonly<Record<string, string>> = {
  'values nobody knows': query('no-such-value'),
  'markup and a script': query('<img src=x onerror=alert(1)>javascript:alert(2)'),
  'what is no text': query('\u0000\ud800%'),
  'nothing but names': NAMES.split(' ').join('&'),
  'page 10,000': 'page=10000&offset=499950&cursor=10000',
  'what JavaScript has in every object': query('__proto__'),
};

function query(value: string): string {
  return NAMES.split(' ')
    .map((name) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}

const people = newPeople();
const NOBODYS_ID = '0193b0a0-0000-7000-8000-000000000000';

describe.runIf(browserWanted)('a URL', () => {
  const suite = useDashboard({ people: Object.values(people) });
  /** Of the other shop, by page. */
  const foreign = new Map<string, string>();

  beforeAll(async () => {
    const { session } = suite.host();
    await sendSamples(session);
    await openEmptyShop(suite.host(), people.newcomer);
    const authorization = `Bearer ${await tokenOf(suite.host(), people.newcomer)}`;
    const made = async (path: string, body: unknown) => {
      const answer = await fetch(session.origin_url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([path, answer.ok]).toEqual([path, true]);
      return (await answer.json()) as Readonly<Record<string, string>>;
    };
    const { secret = '' } = await made('/v1/api-keys', { name: 'Theirs', scopes: ['events:write'] });
    await sendOrders({ ...session, api_key: secret }, 'theirs');
    foreign.set('/event', 'theirs-1000');
    const ticket = { subject: 'Theirs', message: 'Theirs', customer_email: 'theirs@example.com' };
    const { id = '', contact_id = '' } = await made('/api/v1/conversations', ticket);
    foreign.set('/inbox', id).set('/contacts', contact_id);
  });

  it.each(Object.entries(QUERIES))('with %s breaks no page', async (_name, search) => {
    // Loaded once with it, and reached as by a link: a page reads its address in the same way.
    const page = await suite.opened(`/?${search}`);
    const broken: string[] = [];
    for (const { path } of PAGES) {
      const tree = await followed(page, `${path}?${search}`);
      if (/This page broke|could not be shown|status "Loading"/.test(tree)) broken.push(`${path}:\n${tree}`);
      broken.push(...(await tooWide(page, 1280)).map((one) => `${path}: ${one}`));
    }
    expect(broken).toEqual([]);
  });

  it('says of another shop’s id what it says of nobody’s, to the letter', async () => {
    const page = await suite.opened();
    expect([...foreign.values()].every((id) => id !== '')).toBe(true);
    const saidOf = async (path: string, id: string) => {
      await followed(page, `${path}?id=${id}`);
      const alerts = await page.locator('main [role=alert]').all();
      const panels = await Promise.all(alerts.map((alert) => alert.innerHTML()));
      return {
        panels: panels.map((one) => one.replaceAll(id, '<id>').replaceAll(/request [0-9a-f-]{36}/g, '')),
        isTheirs: /theirs/i.test((await page.locator('main').textContent()) ?? ''),
      };
    };
    for (const { path } of PAGES) {
      const missing = await saidOf(path, path === '/event' ? 'nobodys-1000' : NOBODYS_ID);
      const theirs = await saidOf(path, foreign.get(path) ?? foreign.get('/inbox') ?? '');
      expect([path, theirs.panels]).toEqual([path, missing.panels]);
      if (path !== '/event') expect([path, theirs.isTheirs]).toEqual([path, false]);
      if (foreign.has(path)) expect([path, missing.panels.length]).not.toEqual([path, 0]);
    }
  });

  it('of a ticket that is there is a ticket: the comparison can fail', async () => {
    const id = await openDesk(() => suite.host().session).newTicket('Ours');
    const page = await suite.opened(`/inbox?id=${id}`);
    expect(await steadyTree(page)).toContain('heading "Ours"');
  });
});
