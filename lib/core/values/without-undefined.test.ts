// Goal: a field is left out for being undefined, and for nothing else.
import { expect, it } from 'vitest';
import { withoutUndefined } from './without-undefined.ts';

it('leaves out what is undefined, and keeps the others in their order', () => {
  const kept = withoutUndefined({ z: 0, gone: undefined, text: '', none: null, is: false, a: [] });
  expect(JSON.stringify(kept)).toBe('{"z":0,"text":"","none":null,"is":false,"a":[]}');
  expect('gone' in kept).toBe(false);
});
