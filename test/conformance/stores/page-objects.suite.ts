// What everything that stores pages of old rows must do.
import { describe, expect, it } from 'vitest';
import type { PageObjects } from '#lib/events/ports/page-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: { readonly bytes: Uint8Array } | null): string | null =>
  found === null ? null : new TextDecoder().decode(found.bytes);

export function pageObjectsConformance(name: string, open: () => PageObjects): void {
  describe(`pages of old rows, ${name}`, () => {
    it('are written once where nothing is there, and replaced only as they were seen', async () => {
      const pages = open();
      expect(await pages.read('a/1')).toBeNull();
      const first = await pages.write('a/1', bytes('one'), null);
      expect(first).not.toBeNull();
      expect(await pages.write('a/1', bytes('other'), null)).toBeNull();
      expect(await pages.read('a/1')).toMatchObject({ tag: first });
      const second = await pages.write('a/1', bytes('two'), first);
      expect(second).not.toBeNull();
      expect(await pages.write('a/1', bytes('three'), first)).toBeNull();
      expect(text(await pages.read('a/1'))).toBe('two');
      await pages.remove('a/1');
      await pages.remove('a/1');
      expect(await pages.write('a/1', bytes('three'), second)).toBeNull();
      expect(await pages.read('a/1')).toBeNull();
    });

    it('let one of several writers win', async () => {
      const pages = open();
      const wins = await Promise.all(
        Array.from({ length: 8 }, (_, i) => pages.write('b/1', bytes(`${i}`), null)),
      );
      expect(wins.filter((tag) => tag !== null)).toHaveLength(1);
      expect(text(await pages.read('b/1'))).toBe(String(wins.findIndex((tag) => tag !== null)));
    });

    it('are read in part, and listed by the beginning of their names, whatever letters those have', async () => {
      const pages = open();
      const names = ['c/%E6%97%A5/1', 'c/%E6%97%A5/2 +&=?#', 'c/x'];
      for (const each of names) await pages.write(each, bytes('0123456789'), null);
      expect(text(await pages.read(names[1] ?? '', [2, 5]))).toBe('234');
      expect(text(await pages.read('c/x', [8, 20]))).toBe('89');
      expect([...(await pages.names('c/%E6%97%A5/'))].sort()).toEqual(names.slice(0, 2));
      expect(await pages.names('none/')).toEqual([]);
    });
  });
}
