// Goal: what is typed before a dialog is there is its text.
import { expect, it } from 'vitest';
import { typedOf } from './held-keys.ts';

it.each([
  [[], { text: '', end: undefined }],
  [['s', 'o', 'x', 'Backspace'], { text: 'so', end: undefined }],
  [['o', 'k', 'Enter', 'j'], { text: 'ok', end: 'Enter' }],
  [['o', 'Escape'], { text: 'o', end: 'Escape' }],
])('%j', (keys, expected) => {
  expect(typedOf(keys)).toEqual(expected);
});
