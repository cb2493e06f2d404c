// One of several that may be chosen: its name, and what it means.

interface TickProps {
  readonly name: string;
  readonly words?: string;
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

export const Tick = ({ name, words, isOn, set }: TickProps) => (
  <label className="flex min-h-7 items-start gap-2 py-1">
    <input
      type="checkbox"
      className="size-4 shrink-0"
      checked={isOn}
      onChange={({ target }) => set(target.checked)}
    />
    <span>
      {name} {words !== undefined && <span className="block text-sm text-dim">{words}</span>}
    </span>
  </label>
);
