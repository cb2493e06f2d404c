// One bar of four parts that add up to a whole: what became of the events at one platform. Each part is a link to its rows and
// says its number; colour and hatching only repeat it.
import { Link } from 'wouter';
import { FATES, type Fate } from '../../look/sign.tsx';
import { count } from '../written.tsx';

export interface Split {
  readonly fate: Fate;
  readonly value: number;
  readonly to: string;
}

const FILL: Readonly<Record<Fate, string>> = {
  delivered: 'bg-fill-delivered',
  waiting: 'bg-fill-waiting',
  failed: 'bg-fill-failed',
  withheld: 'bg-fill-withheld hatched',
  none: 'bg-fill-withheld',
};

export function SplitBar({ name, parts }: { readonly name: string; readonly parts: readonly Split[] }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className="grid gap-x-4 gap-y-1 py-2 md:grid-cols-3">
      <span className="foreign font-bold">{name}</span>
      <div
        aria-hidden
        className="flex h-5 self-center overflow-hidden rounded-sm border border-control bg-ground"
      >
        {parts.map(({ fate, value }) => (
          <span
            key={fate}
            className={FILL[fate]}
            style={{ width: `${whole === 0 ? 0 : (100 * value) / whole}%` }}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4">
        {parts.map(({ fate, value, to }) => (
          <li key={fate} className="min-w-12">
            <Link
              href={to}
              className={value === 0 ? 'text-dim' : FATES[fate].text}
              aria-label={`${name}: ${count(value)} ${FATES[fate].word}`}
            >
              <span aria-hidden>
                {FATES[fate].sign} {count(value)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function FateLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm text-dim">
      {(['delivered', 'waiting', 'failed', 'withheld'] as const).map((fate) => (
        <li key={fate} className="flex items-center gap-1">
          <span aria-hidden className={`inline-block size-3 border border-control ${FILL[fate]}`} />
          <span aria-hidden className={FATES[fate].text}>
            {FATES[fate].sign}
          </span>
          {FATES[fate].word}
        </li>
      ))}
    </ul>
  );
}
