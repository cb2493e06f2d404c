// Time since an event came, on an axis whose distances are logarithms: first attempts are seconds apart and the last ones hours.

const log = (ms: number): number => Math.log1p(Math.max(0, ms) / 1_000);

/** Per cent of the axis that ends `lastMs` after its start; what is drawn there still fits. */
export const placeOf = (ms: number, lastMs: number): number => (97 * log(ms)) / Math.max(1, log(lastMs));

const TICKS = [
  [1_000, '1 s'],
  [10_000, '10 s'],
  [60_000, '1 min'],
  [600_000, '10 min'],
  [3_600_000, '1 h'],
  [21_600_000, '6 h'],
  [86_400_000, '1 day'],
  [604_800_000, '7 days'],
] as const;

/** Per cent that a name takes at least, on a small screen. */
const APART = 15;

/** Those that stand far enough apart to be read; the first name is at the start. */
export function ticksTo(lastMs: number): readonly { readonly at: number; readonly name: string }[] {
  let before = 3;
  return TICKS.flatMap(([ms, name]) => {
    const at = placeOf(ms, lastMs);
    if (ms > lastMs || at - before < APART || at > 100 - APART) return [];
    before = at;
    return [{ at, name }];
  });
}
