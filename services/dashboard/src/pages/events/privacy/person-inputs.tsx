// The three fields by which a person is named, side by side.
import { Field } from '#dashboard/parts/field.tsx';
import type { Problems } from '#dashboard/parts/problems.ts';
import { FIELDS, LABELS, type Typed } from './person-fields.ts';

interface Props {
  readonly label: (name: keyof Typed) => string;
  readonly typed: Typed;
  readonly problems: Pick<Problems, 'at'>;
  readonly change: (typed: Typed) => void;
}

export function PersonInputs({ label, typed, problems, change }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {FIELDS.map((name) => (
        <Field
          key={name}
          label={label(name)}
          help={LABELS[name][1]}
          maxLength={512}
          value={typed[name]}
          problem={problems.at(name)}
          change={(text) => change({ ...typed, [name]: text })}
        />
      ))}
    </div>
  );
}
