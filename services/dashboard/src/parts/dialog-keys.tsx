// A dialog that makes an API key, for the pages of both products.
import { type ReactNode, useState } from 'react';
import { SecretDialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { useProblems } from './problems.ts';
import { explained, Ticks } from './tick.tsx';

interface KeyDialogProps<Scope extends string> {
  /** Who uses it, such as a program. */
  readonly help: string;
  /** Without it nothing is sent. */
  readonly isNamed?: boolean;
  /** With what each means. */
  readonly scopes: Readonly<Record<Scope, string>>;
  /** Those that most keys need. */
  readonly first: readonly Scope[];
  readonly secret: string | undefined;
  readonly busy: boolean;
  readonly error: unknown;
  readonly send: (name: string, scopes: Scope[]) => void;
  readonly close: () => void;
  readonly children?: ReactNode;
}

export function KeyDialog<Scope extends string>(props: KeyDialogProps<Scope>) {
  const { help, isNamed = false, scopes, first, send, error, children, ...dialog } = props;
  const [name, setName] = useState('');
  const [chosen, choose] = useState(first);
  const problems = useProblems(error, ['name', 'scopes']);
  const options = (Object.entries(scopes) as [Scope, string][]).map(
    ([scope, words]) => [scope, words, scope] as const,
  );
  const unscoped = problems.at('scopes');
  return (
    <SecretDialog
      title="Create an API key"
      secretTitle="Store this key now"
      about="It is shown once. Who loses it makes another one."
      action="Create"
      error={problems.rest}
      form={problems.form}
      send={() => send(name, [...chosen])}
      {...dialog}
    >
      <div className="grid gap-4">
        <Field
          label="Name"
          help={help}
          required={isNamed}
          maxLength={isNamed ? 100 : undefined}
          problem={problems.at('name')}
          value={name}
          change={setName}
        />
        <fieldset aria-invalid={unscoped !== undefined || undefined} tabIndex={-1}>
          <legend className="mb-1 text-sm font-bold">It may</legend>
          {unscoped !== undefined && <p className="foreign mb-1 text-sm text-bad">✖ {unscoped}</p>}
          <div className="grid sm:grid-cols-2">
            <Ticks options={explained(options)} chosen={chosen} choose={choose} />
          </div>
        </fieldset>
        {children}
      </div>
    </SecretDialog>
  );
}
