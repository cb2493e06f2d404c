// Names of settings, and what was meant by one that is none.
import { NUMBER_SETTINGS } from './number-settings.ts';
import { OTHER_SETTINGS } from './setting-list.ts';

const NAMES: readonly string[] = Object.keys({ ...OTHER_SETTINGS, ...NUMBER_SETTINGS });
/** More letters that differ than this, and it is another word. */
const DIFFERENCE_MAX = 3;

/** Throws, with the nearest name there is, where one is no setting. `where`: in which file, or how they were given. */
export function checkSettingNames(given: readonly string[], where: string): void {
  for (const name of given) {
    if (NAMES.includes(name)) continue;
    const nearest = nearestTo(name);
    const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new Error(`${where}: there is no setting ${name}.${meant} docs/reference/settings.md lists them.`);
  }
}

function nearestTo(name: string): string | undefined {
  const [nearest] = NAMES.map((known) => ({ known, by: difference(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ by }) => by <= DIFFERENCE_MAX)
    .sort((a, b) => a.by - b.by);
  return nearest?.known;
}

/** Letters to add, leave out or change (Levenshtein). */
function difference(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
