// One of several that may be chosen: its name, and what it means.

interface TickProps {
  readonly name: string;
  readonly words?: string;
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

export const Tick = ({ name, words, isOn, set }: TickProps) => (
  <label className="flex min-h-7 flex-wrap items-center gap-x-2">
    <input type="checkbox" className="size-4" checked={isOn} onChange={({ target }) => set(target.checked)} />
    {name} {words !== undefined && <span className="text-sm text-dim">{words}</span>}
  </label>
);
