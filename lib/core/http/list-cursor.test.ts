import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createListCursor } from './list-cursor.ts';

const cursors = createListCursor(z.strictObject({ t: z.int(), i: z.string() }));
const PLACE = { t: 17, i: 'e1' };
const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const value = (cursor: string): object => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as object;

describe('list cursor', () => {
  const query = { limit: 10, status: 'FAILED', platform: 'meta' };
  const cursor = cursors.write(query, PLACE) ?? '';

  it('leads back to its place, whatever the size of the page and the order of the query', () => {
    expect(cursors.read({ ...query, cursor })).toEqual(PLACE);
    expect(cursors.read({ platform: 'meta', offset: 3, status: 'FAILED', limit: 99, cursor })).toEqual(PLACE);
  });

  it('is none on the first page, and after the last', () => {
    expect(cursors.read(query)).toBeUndefined();
    expect(cursors.write(query, null)).toBeNull();
  });

  it('does not work with another query', () => {
    for (const other of [{ platform: 'meta' }, { ...query, status: 'ERROR' }, { ...query, search: 'x' }])
      expect(cursors.read({ ...other, cursor })).toBeNull();
  });

  it('is refused where it was made up', () => {
    for (const forged of [{ t: 'x' }, { i: 1 }, { more: 1 }, { q: undefined }, { q: 'other' }])
      expect(cursors.read({ ...query, cursor: text({ ...value(cursor), ...forged }) })).toBeNull();
    for (const garbage of ['', '!', 'bnVsbA', text(null), text([]), text('e1'), text(17)])
      expect(cursors.read({ ...query, cursor: garbage })).toBeNull();
  });
});
