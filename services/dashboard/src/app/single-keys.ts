// Whether a key without Ctrl is a shortcut: not while a text is typed, and not if the person switched such keys off
// (WCAG 2.1.4).
import { readStored, writeStored } from '../parts/stored.ts';

const KEY = 'millrace.single-keys';

export const singleKeysOn = (): boolean => readStored('localStorage', KEY) !== 'off';
export const setSingleKeys = (on: boolean): void => writeStored('localStorage', KEY, on ? 'on' : 'off');

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether a key without Ctrl is a shortcut here. */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !isTyping(event.target) &&
  singleKeysOn();
