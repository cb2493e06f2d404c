// The pages for marketers: one for each platform there is, reachable, complete, and with links that lead somewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONSENT_SIGNALS } from '#lib/events/domain/event/consent.ts';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import { SEALED_FIELD_NAMES } from '#lib/events/domain/identity/identity.ts';
import { NAME_AS_SENT, SNAKE_CASE_NAMES } from '#lib/events/platforms/event-name.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import { loadPlatformModules } from './platform-modules.ts';

const modules = await loadPlatformModules();
const FOLDER = new URL('../../../docs/reference/platforms/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const pageOf = (slug: string): string => `${slug.replaceAll('_', '-')}.md`;

/** Targets of relative links, without fragments. */
const links = (text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target]) => target ?? '');

describe('the pages', () => {
  it('are one for each platform, and the index', () => {
    const pages = [...new Set(modules.map(({ slug }) => pageOf(slug)))];
    const tables = modules.flatMap(({ slug, platform: { table } }) =>
      table === undefined ? [] : [pageOf(slug).replace('.md', '.sql')],
    );
    const files = readdirSync(FOLDER).sort();
    expect(files, 'npm run generate').toEqual(['index.md', ...pages, ...tables].sort());
    expect(new Set(links(read('index.md')))).toEqual(new Set(pages));
  });

  it.each(readdirSync(FOLDER))('%s has links that lead somewhere', (name) => {
    for (const target of links(read(name))) expect(existsSync(new URL(target, FOLDER)), target).toBe(true);
  });
});

describe.each(modules)('the page of $slug', ({ platform, slug, expected }) => {
  // Of a platform without a page the first test above says so.
  const text = existsSync(new URL(pageOf(slug), FOLDER)) ? read(pageOf(slug)) : '';
  const section = (title: string): string => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

  const consentRows = (read('../consent.md').split('\n## ')[2] ?? '')
    .split('\n')
    .filter(
      (row) => /^[^|]+ \| `\w+` \| (?:sent|\*\*withheld)/.test(row) && row.startsWith(`${platform.label} |`),
    );

  it('says what to enter and where each of it is found', () => {
    for (const { label, name, help } of credentialFields(platform)) {
      expect(section('What you need')).toContain(`**${label}** (\`${name}\``);
      expect(section('What you need')).toContain(help);
      expect(help.length, `${name}: too little to find it by`).toBeGreaterThan(40);
    }
  });

  it('says what becomes of every event, and of every field it takes unhashed', () => {
    for (const name of EVENT_NAMES) {
      const sent = platform.eventNames[name];
      const inSnakeCase = sent === SNAKE_CASE_NAMES[name] && sent !== NAME_AS_SENT;
      const renamed = sent !== null && sent !== name && sent !== NAME_AS_SENT && !inSnakeCase;
      const list = sent === null ? 'Not sent, ' : inSnakeCase ? 'In snake case' : 'Under the same name';
      const line = section('Events')
        .split('\n')
        .find((text) => text.startsWith(renamed ? `\`${sent}\` |` : list));
      expect(line, name).toContain(`\`${name}\``);
    }
    for (const field of platform.sealedFields)
      expect(section('The person')).toContain(`\`${SEALED_FIELD_NAMES[field]}\``);
    // What refusing `ad_storage` takes away was sent by these.
    const taken = consentRows.some((row) => /\| `ad_storage` \|.*(?:\| sent: .*`- |\*\*withheld)/.test(row));
    expect(/^[^|]*`(?:madid|browser_ids\.\w+)`/m.test(section('The person'))).toBe(
      taken || expected.refusalsWithoutEffect?.includes('ad_storage') === true,
    );
    for (const field of ['value', 'event_time'])
      expect(section('The event')).toMatch(new RegExp(`^(?:Under the same name: .*)?\`${field}\``, 'm'));
  });

  it('says what consent does, how long an event may wait, what counts once, and whether it can be tried', () => {
    expect(text).toContain('(../consent.md#signal-by-signal)');
    // What is expected of a signal has a row, but for a refusal of `ad_user_data` that withholds, which is said for all.
    const rules = expected.consent.filter(
      ([when, does]) => `${when} ${does}` !== 'ad_user_data=denied withheld',
    );
    const acting = CONSENT_SIGNALS.filter((signal) => rules.some(([when]) => when.includes(`${signal}=`)));
    expect(consentRows.map((row) => /`(\w+)`/.exec(row)?.[1])).toEqual(acting);
    for (const word of ['Acceptance window:', 'Deduplication:', 'Test mode:'])
      expect(section('Delivery')).toContain(word);
    expect(section('Sources')).toContain(platform.api.docs);
  });

  it('warns of what was never tried', () => {
    expect(text.includes('**Experimental**')).toBe(platform.experimental === true);
    expect(text.includes('"confirm_experimental":true')).toBe(platform.experimental === true);
  });
});
