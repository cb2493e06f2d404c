// Yields what is read for each page, in order, while the reads of the next pages already run. Guarantees: at most
// `ahead` more reads at a time; a failed read throws when its turn comes, and no rejection stays unhandled.

export async function* readAhead<Page, Read>(
  pages: AsyncIterable<Page>,
  ahead: number,
  read: (page: Page) => Promise<Read>,
): AsyncGenerator<Read, void> {
  const underWay: Promise<Read>[] = [];
  for await (const page of pages) {
    const begun = read(page);
    // The consumer awaits it and gets the error; if the consumer has stopped, it must not become an unhandled
    // rejection.
    begun.catch(() => undefined);
    underWay.push(begun);
    if (underWay.length > ahead) yield await (underWay.shift() as Promise<Read>);
  }
  for (const begun of underWay) yield await begun;
}
