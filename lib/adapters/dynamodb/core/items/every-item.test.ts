import { expect, it } from 'vitest';
import { everyItem } from './every-item.ts';

/** Four items in three pages, one of them empty; notes where each page was asked from. */
function pages() {
  const asked: unknown[] = [];
  const answers = new Map([
    [undefined, { Items: [{ n: 1 }, { n: 2 }, { n: 3 }], LastEvaluatedKey: { pk: 'a' } }],
    // A filter may leave nothing of a page that is not the last.
    ['a', { Items: [], LastEvaluatedKey: { pk: 'b' } }],
    ['b', { Items: [{ n: 4 }] }],
  ]);
  const readPage = async (from: { readonly ExclusiveStartKey?: Record<string, unknown> }) => {
    asked.push(from.ExclusiveStartKey?.pk);
    return answers.get(from.ExclusiveStartKey?.pk as string | undefined) ?? {};
  };
  return { asked, readPage };
}

it('walks to the last page, past one that is empty', async () => {
  const { asked, readPage } = pages();
  const seen: unknown[] = [];
  for await (const { n } of everyItem(readPage)) seen.push(n);
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(asked).toEqual([undefined, 'a', 'b']);
});

it('reads no page beyond the one in which its caller stops', async () => {
  const { asked, readPage } = pages();
  for await (const { n } of everyItem(readPage)) if (n === 3) break;
  expect(asked).toEqual([undefined]);
});
