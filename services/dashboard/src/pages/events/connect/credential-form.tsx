// Step 2: one control for each field the API names, by its kind.

import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, Form } from '#dashboard/parts/field.tsx';
import { Notice, Panel } from '#dashboard/parts/page.tsx';
import type { AvailablePlatform } from '../platform-list.ts';
import type { Problems, Value, Values } from './draft.ts';

type FieldSpec = AvailablePlatform['fields'][number];

interface CredentialFormProps {
  readonly platform: AvailablePlatform;
  readonly values: Values;
  readonly problems: Problems;
  /** undefined takes the field away. */
  readonly change: (name: string, value: Value | undefined) => void;
  readonly back: () => void;
  readonly next: () => void;
}

export function CredentialForm({ platform, values, problems, change, back, next }: CredentialFormProps) {
  const { label, fields, docs, unhashed_fields, experimental } = platform;
  return (
    <Panel title={`Credentials of ${label}`}>
      <Form send={next}>
        {experimental && (
          <Notice tone="wait">
            This platform was never tried with a real account. Test it before you rely on it.
          </Notice>
        )}
        <div className="grid max-w-160 gap-4">
          {fields.map((field) => (
            <Entry
              key={field.name}
              field={field}
              value={values[field.name]}
              problem={problems[field.name]}
              change={(value) => change(field.name, value)}
            />
          ))}
        </div>
        <p className="foreign mt-4 text-sm text-dim">
          Where to find all this: <Outside url={docs} />. Kept unhashed while connected:{' '}
          {unhashed_fields.length === 0 ? 'nothing' : unhashed_fields.join(', ')}.
        </p>
        <div className="mt-4 flex gap-2">
          <Button onClick={back}>Back</Button>
          <Button kind="primary" type="submit">
            Preview
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** A link where it leads to a page of the web, else text. */
function Outside({ url }: { readonly url: string }) {
  if (!url.startsWith('https://')) return url;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  );
}

interface EntryProps {
  readonly field: FieldSpec;
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly change: (value: Value | undefined) => void;
}

function Entry({ field, value, problem, change }: EntryProps) {
  const { label, help, required, secret, kind, options = [] } = field;
  const name = required ? label : `${label} (optional)`;
  if (kind === 'map') return <MapEntry field={field} value={value} problem={problem} change={change} />;
  if (kind === 'flag' || kind === 'choice') {
    const given =
      kind === 'flag'
        ? [['true', 'yes'] as const, ['false', 'no'] as const]
        : options.map((one) => [one, one] as const);
    return (
      <Choice
        label={name}
        help={help}
        problem={problem}
        value={value === undefined ? '' : String(value)}
        options={[['', required ? 'choose' : 'as usual'], ...given]}
        change={(text) => change(text === '' ? undefined : kind === 'flag' ? text === 'true' : text)}
      />
    );
  }
  return (
    <Field
      label={name}
      help={help}
      problem={problem}
      required={required}
      type={secret ? 'password' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      value={typeof value === 'string' ? value : ''}
      change={(text) => change(text === '' ? undefined : text)}
    />
  );
}

function MapEntry({ field, value, problem, change }: EntryProps) {
  const { label, help, required, names = [], options } = field;
  const map = typeof value === 'object' ? value : {};
  const set = (name: string, text: string): void => {
    const { [name]: _, ...others } = map;
    change(text === '' ? others : { ...others, [name]: text });
  };
  const filled = Object.keys(map).length;
  return (
    <fieldset className="rounded-sm border border-line p-3">
      <legend className="px-1 text-sm font-bold">{required ? label : `${label} (optional)`}</legend>
      {problem !== undefined && <p className="mb-2 text-sm text-bad">✖ {problem}</p>}
      <p className="foreign mb-3 text-sm text-dim">{help}</p>
      <details open={filled > 0 || problem !== undefined}>
        <summary>{filled === 0 ? 'Enter some' : `${filled} entered`}</summary>
        <div className="mt-3 grid gap-3 sm:grid-cols-2">
          {names.map((name) =>
            options === undefined ? (
              <Field key={name} label={name} value={map[name] ?? ''} change={(text) => set(name, text)} />
            ) : (
              <Choice
                key={name}
                label={name}
                value={map[name] ?? ''}
                options={[['', 'as usual'], ...options.map((one) => [one, one] as const)]}
                change={(text) => set(name, text)}
              />
            ),
          )}
        </div>
      </details>
    </fieldset>
  );
}
