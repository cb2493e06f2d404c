// The way through the pages of a list, by the cursor that its answer names.
import { Button } from './button.tsx';

interface PagerProps {
  /** Of the page that is shown; absent: the first. */
  readonly cursor: string | undefined;
  /** Of the page after it; null: there is none. */
  readonly next: string | null;
  /** '' is the first page. */
  readonly go: (cursor: string) => void;
  readonly names?: readonly [first: string, next: string];
}

export const Pager = ({
  cursor,
  next,
  go,
  names: [first, more] = ['First page', 'Next page'],
}: PagerProps) => (
  <div className="mt-3 flex gap-3">
    {cursor !== undefined && <Button onClick={() => go('')}>{first}</Button>}
    {next !== null && <Button onClick={() => go(next)}>{more}</Button>}
  </div>
);
