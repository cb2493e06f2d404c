// The keys that are pressed between asking for a dialog and its being there: from the very press that asks for it they are held,
// and the dialog takes them when it opens, in their order. Escape leaves it as soon as it is there.
import { isSingleKey } from '#dashboard/app/single-keys.ts';

const NAMED = ['Enter', 'Escape', 'Backspace'];

let held: string[] | null = null;

function hold(event: KeyboardEvent): void {
  if (!isSingleKey(event) || (event.key.length > 1 && !NAMED.includes(event.key))) return;
  event.preventDefault();
  event.stopPropagation();
  held?.push(event.key);
}

/** Until they are taken. */
export function holdKeys(): void {
  if (held !== null) return;
  held = [];
  document.addEventListener('keydown', hold, { capture: true });
}

/** Each key once; keys are not held any more. */
export function takeHeldKeys(): readonly string[] {
  if (held === null) return [];
  const taken = held;
  held = null;
  document.removeEventListener('keydown', hold, { capture: true });
  return taken;
}

/** What was typed meanwhile, and how it ended, if it did. */
export function typedOf(keys: readonly string[]) {
  const end = keys.findIndex((key) => key === 'Enter' || key === 'Escape');
  const typed = end < 0 ? keys : keys.slice(0, end);
  const text = typed.reduce((before, key) => (key === 'Backspace' ? before.slice(0, -1) : before + key), '');
  return { text, end: keys[end] };
}
