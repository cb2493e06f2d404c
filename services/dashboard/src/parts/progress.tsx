// Progress of a running job: a bar, with its value for screen readers.
import { Bar } from './bar.tsx';
import { percent } from './written.tsx';

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
