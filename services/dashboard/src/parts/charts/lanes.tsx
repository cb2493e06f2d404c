// When things happened at several places, one lane each, on one time axis: a picture, with a sentence per lane for
// screen readers. The axis is logarithmic (log-time.ts).
import { placeOf, ticksTo } from './log-time.ts';

export interface LaneMark {
  readonly atMs: number;
  readonly sign: string;
  /** Class of its colour, which only repeats the sign. */
  readonly look: string;
  /** Its tooltip. */
  readonly said: string;
}

export interface Lane {
  readonly key: string;
  readonly name: string;
  readonly marks: readonly LaneMark[];
  /** Drawn from the last mark before it. */
  readonly closesMs?: number | undefined;
  /** The lane in words. */
  readonly said: string;
}

interface LanesProps {
  readonly name: string;
  readonly fromMs: number;
  readonly lanes: readonly Lane[];
}

const END_MIN_MS = 10_000;

export function Lanes({ name, fromMs, lanes }: LanesProps) {
  const times = lanes.flatMap(({ marks, closesMs }) => [...marks.map(({ atMs }) => atMs), closesMs ?? 0]);
  const lastMs = Math.max(END_MIN_MS, ...times.map((ms) => ms - fromMs));
  const left = (atMs: number) => ({ left: `${placeOf(atMs - fromMs, lastMs)}%` });
  return (
    <div>
      <ul aria-label={name}>
        {lanes.map(({ key, name: title, marks, closesMs, said }) => (
          <li key={key} className="grid items-center gap-x-4 sm:grid-cols-4">
            <span className="foreign">
              {title}
              <span className="sr-only">: {said}</span>
            </span>
            <div aria-hidden className="relative h-7 border-b border-line sm:col-span-3">
              {closesMs !== undefined && <Open marks={marks} closesMs={closesMs} left={left} />}
              {marks.map(({ atMs, sign, look, said: text }) => (
                <span
                  key={`${atMs} ${sign}`}
                  title={text}
                  className={`absolute top-1 font-bold ${look}`}
                  style={left(atMs)}
                >
                  {sign}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <div aria-hidden className="grid gap-x-4 sm:grid-cols-4">
        <span />
        <div className="relative h-5 text-xs text-dim sm:col-span-3">
          <span className="absolute left-0 bg-surface pr-1">received</span>
          {ticksTo(lastMs).map(({ at, name: tick }) => (
            <span key={tick} className="absolute whitespace-nowrap" style={{ left: `${at}%` }}>
              {tick}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface OpenProps {
  readonly marks: readonly LaneMark[];
  readonly closesMs: number;
  readonly left: (atMs: number) => { readonly left: string };
}

/** Until when it may still be delivered. */
function Open({ marks, closesMs, left }: OpenProps) {
  const from = left(marks.at(-1)?.atMs ?? 0).left;
  const to = left(closesMs).left;
  return (
    <>
      <span
        className="absolute top-3 border-t border-dashed border-wait"
        style={{ left: from, width: `calc(${to} - ${from})` }}
      />
      <span className="absolute top-1 text-dim" style={left(closesMs)} title="it ends then">
        ┃
      </span>
    </>
  );
}
