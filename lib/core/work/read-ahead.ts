// Pages and what is read for them, in order, the reads of the next pages under way while one is worked on.
// Guarantees: no more than `ahead` besides; a read that fails is thrown where its turn comes, and none goes on unheard.

export async function* readAhead<Page, Read>(
  pages: AsyncIterable<Page>,
  ahead: number,
  read: (page: Page) => Promise<Read>,
): AsyncGenerator<Read, void> {
  const underWay: Promise<Read>[] = [];
  for await (const page of pages) {
    const begun = read(page);
    // Thrown to whoever takes it; whoever stopped early must not be told of it as an unhandled one.
    begun.catch(() => undefined);
    underWay.push(begun);
    if (underWay.length > ahead) yield await (underWay.shift() as Promise<Read>);
  }
  for (const begun of underWay) yield await begun;
}
