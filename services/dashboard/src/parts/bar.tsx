// A share as a bar, with its number beside it: the bar says nothing alone. And the progress of a running job as one.
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

interface ProgressProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
}

export function Progress({ label, share }: ProgressProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(100 * share)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={percent(share)}
      className="max-w-160"
    >
      <Bar share={share} />
    </div>
  );
}
