// What may be chosen: one thing, or several of a list.
import type { ReactNode } from 'react';

interface TickProps {
  /** Of the radio buttons of which one is chosen; absent: a checkbox. */
  readonly group?: string;
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
  readonly children: ReactNode;
}

export const Tick = ({ group, isOn, set, children }: TickProps) => (
  <label className="foreign flex min-h-7 items-start gap-2 py-1">
    <input
      type={group === undefined ? 'checkbox' : 'radio'}
      name={group}
      className="mt-0.5 size-4 shrink-0"
      checked={isOn}
      onChange={({ target }) => set(target.checked)}
    />
    <span>{children}</span>
  </label>
);

interface TicksProps<T extends string> {
  readonly options: readonly (readonly [value: T, name: ReactNode])[];
  readonly chosen: readonly T[];
  readonly choose: (chosen: readonly T[]) => void;
}

/** In the order in which they are chosen. */
export const Ticks = <T extends string>({ options, chosen, choose }: TicksProps<T>) =>
  options.map(([value, name]) => (
    <Tick
      key={value}
      isOn={chosen.includes(value)}
      set={(on) => choose(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
    >
      {name}
    </Tick>
  ));

/** Each name with what it means below it. */
export const explained = <T extends string>(
  options: readonly (readonly [value: T, name: string, words: string])[],
): TicksProps<T>['options'] =>
  options.map(([value, name, words]) => [
    value,
    <span key={value}>
      {name} <span className="block text-sm text-dim">{words}</span>
    </span>,
  ]);
