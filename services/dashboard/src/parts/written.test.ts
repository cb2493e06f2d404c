// Promise: a share is never rounded up to all of it, nor down to nothing.
import { describe, expect, it } from 'vitest';
import { percent, score } from './written.tsx';

/** Removes the language's separators and signs around digits. */
const plain = (text: string): string => text.replaceAll(/[^\d<.,]/g, '').replace(',', '.');

describe('a share', () => {
  it.each([
    [1, '100'],
    [0.9999999, '99.9'],
    [0.9995, '99.9'],
    [0.99949, '99.9'],
    [0.987, '98.7'],
    [0.5, '50'],
    [0.001, '0.1'],
    [0.0009, '<0.1'],
    [1e-9, '<0.1'],
    [0, '0'],
  ])('%f is %s', (value, said) => {
    expect(plain(percent(value))).toBe(said);
  });
});

describe('a score', () => {
  it.each([
    [100, '100'],
    [99.96, '99'],
    [62.5, '63'],
    [0.4, '<1'],
    [0, '0'],
  ])('%f is %s', (value, said) => {
    expect(score(value)).toBe(said);
  });
});
