// Form fields: a label above, the error below and announced to screen readers.
import { type ComponentProps, type ReactNode, useId } from 'react';

const CONTROL = 'w-full min-w-0 min-h-9 rounded-sm border bg-surface px-2 py-1 text-ink';

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | undefined;
}

export function Field({ label, help, problem, ...props }: FieldProps) {
  const id = useId();
  return (
    // A date and time is as wide as two other values.
    <div
      className={`min-w-0 ${props.type === 'datetime-local' ? 'col-span-2 sm:col-span-1 lg:col-span-2' : ''}`}
    >
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        {label}
      </label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        {...props}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-help`}
        className={`${CONTROL} ${problem === undefined ? 'border-control' : 'border-bad'}`}
      />
      <Below id={`${id}-help`} help={help} problem={problem} />
    </div>
  );
}

function Below({
  id,
  help,
  problem,
}: {
  readonly id: string;
  readonly help: ReactNode;
  readonly problem: string | undefined;
}) {
  return (
    <div id={id}>
      {problem !== undefined && <p className="foreign mt-1 text-sm text-bad">✖ {problem}</p>}
      {help && <p className="foreign mt-1 text-sm text-dim">{help}</p>}
    </div>
  );
}

interface LinesProps extends ComponentProps<'textarea'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | undefined;
}

/** A field of several lines that grows with its text. */
export function Lines({ label, help, problem, value, ...props }: LinesProps) {
  const id = useId();
  const rows = Math.min(8, Math.max(2, String(value ?? '').split('\n').length));
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        {label}
      </label>
      <textarea
        id={id}
        autoComplete="off"
        spellCheck={false}
        rows={rows}
        value={value}
        {...props}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-help`}
        className={`${CONTROL} ${problem === undefined ? 'border-control' : 'border-bad'}`}
      />
      <Below id={`${id}-help`} help={help} problem={problem} />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly change: (value: string) => void;
}

export function Choice({ label, help, problem, value, options, change }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        {label}
      </label>
      <select
        id={id}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-help`}
        className={`${CONTROL} ${problem === undefined ? 'border-control' : 'border-bad'}`}
        value={value}
        onChange={({ target }) => change(target.value)}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      <Below id={`${id}-help`} help={help} problem={problem} />
    </div>
  );
}
