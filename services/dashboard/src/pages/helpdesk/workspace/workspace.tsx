// The workspace: its name, language and time zone, and its API keys. Who may not manage it reads the first three.

import { useMe } from '#dashboard/app/account.ts';
import { Facts } from '#dashboard/parts/facts.tsx';
import { Loaded, LoadedPanel, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { useVersioned } from '../versioned.ts';
import { ACCOUNT_KEY, AccountForm } from './account-form.tsx';
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
              <Facts
                className="grid gap-4"
                facts={[
                  ['Name', workspace.name],
                  ['Language', workspace.default_language],
                  ['Time zone', workspace.default_timezone],
                ]}
              />
            </Panel>
          )
        }
      </Loaded>
    </Page>
  );
}

function Managed() {
  const account = useVersioned(ACCOUNT_KEY, (helpdesk, options) => helpdesk.getAccount({}, options));
  return (
    <>
      <LoadedPanel title="Settings" query={account} rows={4}>
        {(data) => <AccountForm account={data} reload={account.refetch} />}
      </LoadedPanel>
      <Keys />
    </>
  );
}
