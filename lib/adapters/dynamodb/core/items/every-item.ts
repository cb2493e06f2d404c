// A query or a scan answers with a page of at most a megabyte: these are the items of all pages, read as they are needed.
import type { Item } from './commands.ts';

interface Page {
  readonly Items?: Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
}

/** `readPage` takes where to go on, as part of its command. Nothing is read beyond the page in which the caller stops. */
export async function* everyItem(
  readPage: (from: { readonly ExclusiveStartKey?: Item }) => Promise<Page>,
): AsyncGenerator<Item, void> {
  let from: { readonly ExclusiveStartKey?: Item } | undefined = {};
  while (from !== undefined) {
    const { Items: items = [], LastEvaluatedKey: last } = await readPage(from);
    yield* items;
    from = last === undefined ? undefined : { ExclusiveStartKey: last };
  }
}
