// Joining a shop: a signed-in person enters the code of an invitation. The code is never part of a URL.

import { useState } from 'react';
import { useApi, useChange } from '#dashboard/app/api.tsx';
import { switchShop } from '#dashboard/app/shop.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Failure, Page, Panel } from '#dashboard/parts/page.tsx';
import { codeOf, problemsOf } from '#dashboard/parts/problems.ts';

export default function JoinPage() {
  const [token, setToken] = useState('');
  const { session } = useApi();
  const join = useChange(({ client }, code: string) => client.acceptInvitation({ body: { token: code } }), {
    done: ({ body }) => switchShop(session.person() ?? '', body.merchant_id, '/'),
  });
  const problems = problemsOf(join.error, ['token']);
  return (
    <Page title="Join a shop" about="With the code of an invitation that somebody gave you.">
      <Panel title="Invitation">
        <Form className="max-w-160" send={() => join.send(token.trim())}>
          <Field
            label="Code"
            help={`It works once. You join as ${session.person() ?? 'yourself'}.`}
            required
            maxLength={300}
            value={token}
            problem={problems.at('token')}
            change={setToken}
          />
          <Failure error={problems.rest} />
          {codeOf(join.error) === 'invitation_not_found' && <p>Ask whoever gave it to you for a new one.</p>}
          <Button className="mt-4" type="submit" kind="primary" busy={join.isPending}>
            Join
          </Button>
        </Form>
      </Panel>
    </Page>
  );
}
