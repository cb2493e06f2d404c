// Forms, and their fields: a label above, the error below and announced to screen readers.
import { type ComponentProps, type ReactNode, useId } from 'react';
import type { Problems } from './problems.ts';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly send: () => void;
}

/** Sent by the page, never by the browser. */
export const Form = ({ send, ...props }: FormProps) => (
  <form
    {...props}
    onSubmit={(event) => {
      event.preventDefault();
      send();
    }}
  />
);

interface Labels {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | undefined;
}

interface LabelledProps extends Labels {
  readonly id: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Labelled({ id, label, help, problem, isWide = false, children }: LabelledProps) {
  return (
    <div className={`min-w-0 ${isWide ? 'col-span-2 sm:col-span-1 lg:col-span-2' : ''}`}>
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        {label}
      </label>
      {children}
      <div id={`${id}-help`}>
        {problem !== undefined && <p className="foreign mt-1 text-sm text-bad">✖ {problem}</p>}
        {help && <p className="foreign mt-1 text-sm text-dim">{help}</p>}
      </div>
    </div>
  );
}

const controlOf = (id: string, problem: string | undefined) => ({
  id,
  'aria-invalid': problem !== undefined || undefined,
  'aria-describedby': `${id}-help`,
  className: `w-full min-w-0 min-h-9 rounded-sm border bg-surface px-2 py-1 text-ink ${problem === undefined ? 'border-control' : 'border-bad'}`,
});

interface FieldProps extends Labels, Omit<ComponentProps<'input'>, 'onChange'> {
  readonly change: (text: string) => void;
}

export function Field({ label, help, problem, change, ...props }: FieldProps) {
  const id = useId();
  const labels = { id, label, help, problem };
  return (
    // A date and time is as wide as two other values.
    <Labelled {...labels} isWide={props.type === 'datetime-local'}>
      <input
        autoComplete="off"
        spellCheck={false}
        {...props}
        {...controlOf(id, problem)}
        onChange={({ target }) => change(target.value)}
      />
    </Labelled>
  );
}

interface LinesProps extends Labels, Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly change: (text: string) => void;
}

/** A field of several lines that grows with its text. */
export function Lines({ label, help, problem, change, ...props }: LinesProps) {
  const id = useId();
  const rows = Math.min(8, Math.max(2, String(props.value ?? '').split('\n').length));
  return (
    <Labelled id={id} label={label} help={help} problem={problem}>
      <textarea
        autoComplete="off"
        spellCheck={false}
        rows={rows}
        {...props}
        {...controlOf(id, problem)}
        onChange={({ target }) => change(target.value)}
      />
    </Labelled>
  );
}

interface ChoiceProps extends Labels {
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly change: (value: string) => void;
}

export function Choice({ label, help, problem, value, options, change }: ChoiceProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} help={help} problem={problem}>
      <select {...controlOf(id, problem)} value={value} onChange={({ target }) => change(target.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** What a field is given by its name: the text, what is wrong with it, and how it changes. */
export const fieldsOf =
  <Name extends string>(
    texts: Readonly<Record<Name, string>>,
    set: (name: Name, text: string) => void,
    problems?: Pick<Problems, 'at'>,
  ) =>
  (name: Name) => ({
    value: texts[name],
    problem: problems?.at(name),
    change: (text: string) => set(name, text),
  });
