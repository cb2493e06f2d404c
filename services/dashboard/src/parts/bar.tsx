// A share as a bar, with its number beside it: the bar says nothing alone.
import { percent } from './written.tsx';

export function Bar({ share }: { readonly share: number }) {
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden className="h-4 grow overflow-hidden rounded-sm border border-control bg-ground">
        <span
          className="block h-full bg-fill-delivered"
          style={{ width: `${Math.min(100, 100 * share)}%` }}
        />
      </span>
      <span className="w-14 text-right">{percent(share)}</span>
    </span>
  );
}
