// Goal: every page there is, in every state a panel can be in, breaks no rule of WCAG 2.2 AA in either theme at either width, says
// what the state is, and loses nothing on a narrow screen, in the dark, at 200 % or in forced colours. Method: made from the list of
// pages, so that one that is added is tried as it is. Gates are ARIA trees of `main`: that of the dark is that of the light,
// and what an empty, failed, refused or loading page says is kept in trees/ (`npm run test:pages -- -u` writes them anew). Pixels
// are no gate, fonts differ; nor is the tree of a full shop, in which every number is another one each time.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { colourViolations, lookViolations, violations } from '#test/support/dashboard/axe.ts';
import { signIn, useDashboard } from '#test/support/dashboard/browser.ts';
import { disturb, type Fault, held, refused } from '#test/support/dashboard/faults.ts';
import { type ListedPage, nameOf, PAGES } from '#test/support/dashboard/page-list.ts';
import { join, newPeople, openEmptyShop } from '#test/support/dashboard/people.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { hiddenFocus, moving, tooWide, withoutEdge } from '#test/support/dashboard/seen.ts';
import { followed, leave, NO_PAGE, treeOf } from '#test/support/dashboard/trees.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const TREES = fileURLToPath(new URL('trees/', import.meta.url));
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
/** 640 is 1280 at 200 %; 320 is 1280 at 400 % (WCAG 1.4.10). */
const ZOOMED = [640, 320] as const;
const HEIGHT = 900;

const people = newPeople();

interface State {
  readonly name: string;
  readonly who?: (typeof people)['member'];
  /** What becomes of a page's requests; absent: what the API says. */
  readonly fault?: Fault;
  /** What `main` says where a request met the fault. */
  readonly says?: RegExp;
  /** Whether what it says is the same every time. */
  readonly isKept: boolean;
}

const STATES: readonly State[] = [
  { name: 'full', isKept: false },
  { name: 'empty', who: people.newcomer, isKept: true },
  { name: 'slow', fault: held, says: /- status "Loading"/, isKept: true },
  {
    name: 'unavailable',
    fault: refused(503, 'unavailable', { 'retry-after': '70' }),
    says: /- alert:(?:.|\n)*button "Retry in # s"/,
    isKept: true,
  },
  {
    name: 'forbidden',
    fault: refused(403, 'forbidden'),
    says: /- alert:(?:.|\n)*Your role does not allow this\./,
    isKept: true,
  },
  { name: 'member', who: people.member, isKept: false },
];

describe.runIf(browserWanted)('every page', () => {
  const suite = useDashboard({ people: Object.values(people) });
  const visits = new Map<State, { readonly page: Page; readonly met: () => number }>();

  beforeAll(async () => {
    await sendSamples(suite.host().session);
    await join(suite.host(), people.member, 'member');
    await openEmptyShop(suite.host(), people.newcomer);
    for (const state of STATES) {
      const visit = await suite.stay({ reducedMotion: 'reduce' });
      await signIn(visit, suite.host(), NO_PAGE, state.who);
      const met = state.fault === undefined ? () => 0 : (await disturb(visit.page, state.fault)).met;
      visits.set(state, { page: visit.page, met });
    }
  });

  it.each(PAGES)('is accessible and says what it is in each state: $path', async (entry) => {
    const found: string[] = [];
    const kept: string[] = [];
    for (const [state, { page, met }] of visits) {
      const before = met();
      const isMet = (): boolean => !QUIET.includes(entry.path) && met() > before;
      const tree = await opened(page, entry, state, isMet);
      const wrong = [...wrongWith(tree, state, isMet()), ...(await faultsOf(page, tree, state))];
      found.push(...wrong.map((one) => `${state.name}: ${one}`));
      if (state.isKept) kept.push(`# ${state.name}\n${tree}`);
      if (isMet()) struck.add(entry.path);
      else if (state.fault !== undefined) spared.add(entry.path);
      await leave(page);
    }
    expect(found).toEqual([]);
    await keep(kept.join('\n'), `${nameOf(entry)}.txt`);
  });

  it('met the faults, but on pages that ask for nothing but whose shop it is', () => {
    expect([...spared].filter((path) => !struck.has(path) && !QUIET.includes(path))).toEqual([]);
  });
});

/** Pages that ask for nothing but whose shop it is. A fault that is met there was met by what the page before still asked. */
const QUIET: readonly string[] = ['/event', '/order', '/settings', '/join', '/assistant'];

/** Pages whose requests met a fault. */
const struck = new Set<string>();
const spared = new Set<string>();

const isLoading = (tree: string): boolean => tree.includes('status "Loading"');

/**
 * Reached as by a link; each state has a document of its own, so nothing of another one is remembered. What was held for a page before may be what this one waits for: that is loading, too. Its tree when it says what it has to say.
 */
async function opened(
  page: Page,
  { path }: ListedPage,
  { name, says }: State,
  isMet: () => boolean,
): Promise<string> {
  const isSaid = (tree: string): boolean =>
    isMet() && says !== undefined ? says.test(tree) : name === 'slow' || !isLoading(tree);
  await look(page, 'light', 1280);
  return await followed(page, path, isSaid);
}

async function look(page: Page, colorScheme: (typeof THEMES)[number], width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, forcedColors: 'none' });
  await page.setViewportSize({ width, height: HEIGHT });
}

function wrongWith(tree: string, { name, says }: State, isMet: boolean): readonly string[] {
  const wrong: string[] = [];
  if (tree.match(/heading ".+" \[level=1\]/g)?.length !== 1) wrong.push('has not one first heading');
  if (says !== undefined && isMet && !says.test(tree)) wrong.push(`does not say ${says}`);
  if (name !== 'slow' && isLoading(tree)) wrong.push('goes on loading');
  if ((says === undefined || name === 'slow') && tree.includes('- alert'))
    wrong.push('says that something failed');
  return wrong.map((one) => `${one}\n${tree}`);
}

/** Headings, and every control that takes a key or a press. */
const usable = (tree: string): string =>
  (tree.match(/(?:heading|button|link|textbox|searchbox|combobox|checkbox|radio|tab) .*/g) ?? []).join('\n');

/** In both themes at both widths, then zoomed and in forced colours. */
async function faultsOf(page: Page, tree: string, { name }: State): Promise<readonly string[]> {
  const found: string[] = [...(await moving(page, 0))];
  for (const theme of THEMES)
    for (const width of WIDTHS) {
      await look(page, theme, width);
      const other = await treeOf(page);
      // A narrow screen may leave words out, but nothing that can be used. What goes on in a full shop goes on meanwhile.
      const of = (text: string): string => (width === WIDTHS[0] ? text : usable(text));
      if (of(other) !== of(tree) && name !== 'full')
        found.push(`is another page in ${theme}, ${width} px:\n${other}\nand not\n${tree}`);
      const wrong = [...(await brokenRules(page, name, theme, width)), ...(await tooWide(page, width))];
      found.push(...wrong.map((one) => `${theme} ${width}: ${one}`));
    }
  for (const width of ZOOMED) {
    await look(page, 'light', width);
    found.push(...(await tooWide(page, width)));
  }
  await page.emulateMedia({ forcedColors: 'active' });
  found.push(...(await withoutEdge(page)));
  if (name === 'full') {
    await look(page, 'light', 1280);
    found.push(...(await hiddenFocus(page)));
  }
  return found;
}

/**
 * Its tree is the same in the dark: only colours can be wrong there. What is around `main` is what it is in a full or an empty
 * shop, in the dark and narrow as well.
 */
const brokenRules = (page: Page, state: string, theme: string, width: number): Promise<readonly string[]> => {
  const isWhole = state === 'full' || state === 'empty';
  if (theme === 'dark') return colourViolations(page, isWhole ? undefined : 'main');
  return width === WIDTHS[0] || isWhole ? violations(page) : lookViolations(page);
};

/** A new page has no file yet: its first run writes it, except in CI, where the file would be lost. */
async function keep(text: string, file: string): Promise<void> {
  const path = TREES + file;
  if (process.env.CI === undefined || existsSync(path)) await expect(text).toMatchFileSnapshot(path);
}
