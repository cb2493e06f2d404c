// Keys of the inbox, where no text is typed and no dialog is open. After `g` the next letter goes to a page, and is not ours.
import { useEffect, useRef } from 'react';
import { isSingleKey } from '#dashboard/app/single-keys.ts';

const NAMES = {
  j: 'next',
  k: 'previous',
  r: 'reply',
  n: 'note',
  s: 'snooze',
  u: 'wake',
  e: 'close',
  '!': 'raise',
  d: 'draft',
  z: 'undo',
} as const;
export type KeyName = (typeof NAMES)[keyof typeof NAMES];

/** In the words of the list of keys. */
export const KEY_WORDS: readonly (readonly [key: string, what: string])[] = [
  ['j k', 'Next and previous ticket'],
  ['r', 'Reply to the customer'],
  ['n', 'Write an internal note'],
  ['Ctrl Enter', 'Send the reply, or add the note'],
  ['Ctrl Shift Enter', 'Send, close, and open the next'],
  ['Esc', 'Leave the text; it stays'],
  ['s 1 2 3', 'Snooze: 3 hours, tomorrow, Monday'],
  ['u', 'Wake'],
  ['e', 'Close'],
  ['!', 'Raise'],
  ['d', 'Put the draft by AI into the reply'],
  ['z', 'Undo'],
];

const SECOND_MS = 1_500;

export function useInboxKeys(press: (name: KeyName) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    let goUntilMs = 0;
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !isSingleKey(event)) return;
      if (document.querySelector('[role=dialog]') !== null) return;
      const isSecond = event.timeStamp < goUntilMs;
      goUntilMs = event.key === 'g' && !isSecond ? event.timeStamp + SECOND_MS : 0;
      const name = isSecond ? undefined : Object.entries(NAMES).find(([key]) => key === event.key)?.[1];
      if (name === undefined) return;
      event.preventDefault();
      latest.current(name);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
