// Joining a shop: a signed-in person enters the code of an invitation. The code is never part of a URL.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Client, useApi, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { isToldAtFields, problemsOf } from '#dashboard/parts/problems.ts';
import { Failure } from '#dashboard/parts/states.tsx';

export default function JoinPage() {
  const [token, setToken] = useState('');
  const [, navigate] = useLocation();
  const { session } = useApi();
  const queries = useQueryClient();
  const join = useChange((client: Client, code: string) =>
    client.acceptInvitation({ body: { token: code } }),
  );
  const problems = problemsOf(join.error, ['token']);
  const submit = (): void =>
    join.send(token.trim(), () => {
      // Everything that was refused before is requested again.
      void queries.resetQueries();
      navigate('/');
    });
  return (
    <Page title="Join a shop" about="With the code of an invitation that somebody gave you.">
      <Panel title="Invitation">
        <form
          className="max-w-160"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field
            label="Code"
            help={`It works once. You join as ${session.person() ?? 'yourself'}.`}
            required
            maxLength={300}
            value={token}
            problem={problems.at('token')}
            onChange={({ target }) => setToken(target.value)}
          />
          {join.error && !isToldAtFields(join.error, problems) && <Refused error={join.error} />}
          <Button className="mt-4" type="submit" kind="primary" busy={join.isPending}>
            Join
          </Button>
        </form>
      </Panel>
    </Page>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  const isUsed =
    error !== null && typeof error === 'object' && 'code' in error && error.code === 'invitation_not_found';
  return (
    <>
      <Failure error={error} />
      {isUsed && <p>Ask whoever gave it to you for a new one.</p>}
    </>
  );
}
