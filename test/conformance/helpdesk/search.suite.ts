// What every index of tokens must do: find at once what was written, and let nobody who is late undo a later version.
import { describe, expect, it } from 'vitest';
import { idAt, inChunks, newWorkspace, type OpenStores } from '#test/support/helpdesk-records.ts';

const word = (text: string) => ({ text, isPrefix: false });
const beginning = (text: string) => ({ text, isPrefix: true });

export function searchConformance(name: string, open: OpenStores): void {
  describe(`search on ${name}`, () => {
    it('finds by a whole token or its beginning, the newest first', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const put = (n: number, ...add: string[]) =>
        search.change(ws, { type: 'ticket', recordId: idAt(n), version: 1, add, remove: [] });
      await put(1, 'anna', 'ann', 'x y');
      await put(2, 'ann', 'ann@example.org');
      await put(3, 'annex', 'x');
      expect((await search.find(ws, 'ticket', word('ann'), 10)).ids).toEqual([idAt(2), idAt(1)]);
      expect((await search.find(ws, 'ticket', beginning('ann'), 10)).ids).toEqual([
        idAt(3),
        idAt(2),
        idAt(1),
      ]);
      expect((await search.find(ws, 'ticket', beginning('ann'), 2)).ids).toHaveLength(2);
      expect((await search.find(ws, 'ticket', beginning('ann@'), 10)).ids).toEqual([idAt(2)]);
      expect((await search.find(ws, 'ticket', word('x'), 10)).ids).toEqual([idAt(3)]);
      expect((await search.find(ws, 'ticket', beginning('b'), 10)).ids).toEqual([]);
      expect((await search.find(ws, 'contact', word('ann'), 10)).ids).toEqual([]);
      expect((await search.find(newWorkspace(), 'ticket', word('ann'), 10)).ids).toEqual([]);
    });

    it.each(['日本', '𐍈𐌰', 'ﷺ', 'ß', '٣٤', 'é'.repeat(32), '😀', '#', '%_*'])('finds %s', async (token) => {
      const { search } = await open();
      const ws = newWorkspace();
      await search.change(ws, {
        type: 'contact',
        recordId: 'c',
        version: 1,
        add: [token, token],
        remove: [],
      });
      const first = String.fromCodePoint(token.codePointAt(0) ?? 0);
      expect((await search.find(ws, 'contact', word(token), 10)).ids).toEqual(['c']);
      expect((await search.find(ws, 'contact', beginning(first), 10)).ids).toEqual(['c']);
      await search.change(ws, { type: 'contact', recordId: 'c', version: 2, add: [], remove: [token] });
      expect((await search.find(ws, 'contact', beginning(first), 10)).ids).toEqual([]);
    });

    it('moves a record from some tokens to others, as often as it is told', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const change = {
        type: 'ticket',
        recordId: idAt(1),
        version: 2,
        add: ['new'],
        remove: ['old'],
      } as const;
      await search.change(ws, { ...change, version: 1, add: ['old', 'both'], remove: [] });
      for (let i = 0; i < 3; i++) await search.change(ws, change);
      expect((await search.find(ws, 'ticket', word('old'), 10)).ids).toEqual([]);
      expect((await search.find(ws, 'ticket', word('new'), 10)).ids).toEqual([idAt(1)]);
      expect((await search.find(ws, 'ticket', word('both'), 10)).ids).toEqual([idAt(1)]);
    });

    it('keeps what a later version says, whoever comes late', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const of = (version: number, add: string[], remove: string[]) =>
        ({ type: 'ticket', recordId: idAt(1), version, add, remove }) as const;
      await search.change(ws, of(2, ['b'], ['a']));
      await search.change(ws, of(1, ['a'], ['b']));
      expect((await search.find(ws, 'ticket', word('a'), 10)).ids).toEqual([]);
      expect((await search.find(ws, 'ticket', word('b'), 10)).ids).toEqual([idAt(1)]);
      await search.change(ws, of(3, ['a'], []));
      await search.change(ws, of(2, ['b'], ['a']));
      expect((await search.find(ws, 'ticket', word('a'), 10)).ids).toEqual([idAt(1)]);
    });

    it('forgets without a trace, so that a record of the same id is found again', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const of = { type: 'contact', recordId: 'c' } as const;
      await search.change(ws, { ...of, version: 7, add: ['ada', 'bob'], remove: [] });
      await search.change(ws, { type: 'contact', recordId: 'd', version: 1, add: ['ada'], remove: [] });
      await search.forget(ws, { ...of, tokens: ['ada', 'ada', '', 'never'] });
      expect((await search.find(ws, 'contact', word('ada'), 10)).ids).toEqual(['d']);
      expect((await search.find(ws, 'contact', word('bob'), 10)).ids).toEqual(['c']);
      await search.change(ws, { ...of, version: 1, add: ['ada'], remove: [] });
      expect((await search.find(ws, 'contact', word('ada'), 10)).ids).toEqual(['d', 'c']);
    });

    it('has a token that is both added and taken away, and none that is empty', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const entry = {
        type: 'ticket',
        recordId: idAt(1),
        version: 1,
        add: ['a', ''],
        remove: ['a', ''],
      } as const;
      await search.change(ws, entry);
      expect((await search.find(ws, 'ticket', word('a'), 10)).ids).toEqual([idAt(1)]);
      expect((await search.find(ws, 'ticket', beginning(''), 10)).ids).toEqual([]);
    });

    it('gives of a common word as many as are asked for', async () => {
      const { search } = await open();
      const ws = newWorkspace();
      const numbers = Array.from({ length: 1_300 }, (_, n) => n);
      await inChunks(numbers, (n) =>
        search.change(ws, { type: 'ticket', recordId: idAt(n), version: 1, add: ['hello'], remove: [] }),
      );
      // What was taken away takes nobody's place.
      await inChunks(numbers.slice(1_250), (n) =>
        search.change(ws, { type: 'ticket', recordId: idAt(n), version: 2, add: [], remove: ['hello'] }),
      );
      const found = await search.find(ws, 'ticket', word('hello'), 1_000);
      expect(found).toEqual({
        ids: Array.from({ length: 1_000 }, (_, i) => idAt(1_249 - i)),
        isWhole: false,
      });
      // Where a shard was not read to its end, fewer may be given, and none is left out between them.
      const { ids } = await search.find(ws, 'ticket', word('hello'), 400);
      expect(ids.length).toBeGreaterThan(300);
      expect(ids).toEqual(Array.from(ids, (_, i) => idAt(1_249 - i)));
      const most = await search.find(ws, 'ticket', word('hello'), 1_250);
      expect([most.ids.length, most.isWhole]).toEqual([1_250, true]);
      expect((await search.find(ws, 'ticket', beginning('hel'), 5)).ids).toHaveLength(5);
    });
  });
}
