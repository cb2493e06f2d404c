// The workspace: its name, language and time zone, and its API keys. Who may not manage it reads the first three.

import { useMe } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { Loaded, Notice } from '#dashboard/parts/states.tsx';
import { type Account, AccountForm } from './account-form.tsx';
import { Keys } from './keys.tsx';

export default function WorkspacePage() {
  const me = useMe();
  return (
    <Page title="Workspace" about="What the helpdesk is called, and in which time zone it works.">
      <Loaded query={me} rows={6}>
        {({ caller, workspace }) =>
          caller.scopes.includes('manage:workspace') ? (
            <Managed />
          ) : (
            <Panel title="Settings">
              <Notice tone="plain">
                Your role ({caller.role ?? 'none'}) may read this and not change it: an owner or an admin can.
                API keys are theirs as well.
              </Notice>
              <dl className="grid gap-4">
                <Pair name="Name" value={workspace.name} />
                <Pair name="Language" value={workspace.default_language} />
                <Pair name="Time zone" value={workspace.default_timezone} />
              </dl>
            </Panel>
          )
        }
      </Loaded>
    </Page>
  );
}

const Pair = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="min-w-0">
    <dt className="text-sm text-dim">{name}</dt>
    <dd className="foreign">{value}</dd>
  </div>
);

function Managed() {
  const account = useAsk<Account>(['workspace', 'account'], async (_client, signal, helpdesk) => {
    const { status, body, headers } = await helpdesk.getAccount({}, { signal });
    if (status !== 200 || headers?.etag === undefined)
      throw new Error('The helpdesk answered without a version.');
    return { body: { ...body, etag: headers.etag } };
  });
  return (
    <>
      <Panel title="Settings">
        <Loaded query={account} rows={4}>
          {(data) => <AccountForm account={data} reload={account.refetch} />}
        </Loaded>
      </Panel>
      <Keys />
    </>
  );
}
