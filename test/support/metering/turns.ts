// Platforms that answer one after another although they are asked at once. Vendors do not answer in step, and a write takes less
// than what lies between them; on a slow machine real pauses would not keep that, and answers that race cost more units.
// Guarantees: no answer comes before every platform was asked or has nothing to send; the order is that of the slugs; and each
// platform has recorded all its answers before the next one's come.

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  let order: string[] = [];
  const unasked = new Set<string>();
  let waiting: { readonly slug: string; readonly go: () => void }[] = [];
  const mayAnswer = (slug: string): boolean =>
    !order.includes(slug) || (unasked.size === 0 && order[0] === slug);
  const wake = (): void => {
    const ready = waiting.filter(({ slug }) => mayAnswer(slug));
    waiting = waiting.filter(({ slug }) => !mayAnswer(slug));
    for (const { go } of ready) go();
  };
  return {
    /** Platforms that will be asked side by side from now on. */
    begin: (slugs: readonly string[]) => {
      order = [...slugs];
      for (const slug of slugs) unasked.add(slug);
    },
    /** Nothing is left for this platform. */
    end: (slug: string) => {
      order = order.filter((other) => other !== slug);
      unasked.delete(slug);
      wake();
    },
    /** Resolves when the platform may answer. Platforms that were not named answer at once. */
    answer: (slug: string) => {
      unasked.delete(slug);
      const turn = new Promise<void>((go) => waiting.push({ slug, go }));
      wake();
      return turn;
    },
  };
}
