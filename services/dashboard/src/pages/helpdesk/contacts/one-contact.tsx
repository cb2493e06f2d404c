// One contact: what is kept of it, all of it as a file, and its end.
import { useState } from 'react';
import { useScopeRefusal } from '#dashboard/app/account.ts';
import { useChange } from '#dashboard/app/api.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Facts } from '#dashboard/parts/facts.tsx';
import { JsonView, saveAs } from '#dashboard/parts/json.tsx';
import { Failure, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { Time } from '#dashboard/parts/written.tsx';
import { useVersioned } from '../versioned.ts';
import { Erase } from './erase.tsx';
import { exportAll } from './export.ts';

const ADMINS_ONLY = 'An admin or an owner can do this.';

export function OneContact({ id, back }: { readonly id: string; readonly back: string }) {
  const [isErasing, setErasing] = useState(false);
  const [isErased, setErased] = useState(false);
  const contact = useVersioned(['getContact', id], (helpdesk, options) =>
    helpdesk.getContact({ params: { id } }, options),
  );
  const file = useChange(({ helpdesk }) => exportAll(helpdesk, id), {
    done: (all) => saveAs(`contact-${id}.json`, all),
  });
  const refused = useScopeRefusal('manage:workspace') && ADMINS_ONLY;
  const email = contact.data?.email;
  return (
    <Page
      title={email ?? 'Contact'}
      actions={
        <>
          <LinkButton to={back}>← Contacts</LinkButton>
          {email !== undefined && !isErased && (
            <>
              <LinkButton to={withQuery('/inbox', { search: email })}>Tickets</LinkButton>
              <Button busy={file.isPending} refused={refused} onClick={() => file.send()}>
                Export
              </Button>
              <Button kind="danger" refused={refused} onClick={() => setErasing(true)}>
                Erase
              </Button>
            </>
          )}
        </>
      }
    >
      {refused && <p className="mb-4 text-dim">Export and erasure: an admin or an owner can do them.</p>}
      <Failure error={file.error} />
      {file.data && !isErased && <Notice tone="plain">Everything that is kept was saved as a file.</Notice>}
      {isErased ? (
        <Notice tone="plain">
          The erasure has begun and ends by itself. The record goes, and what the contact wrote is taken out
          of its tickets, which keep their code, state and times.
        </Notice>
      ) : (
        <LoadedPanel title="What is kept" query={contact} rows={5}>
          {({ name, company, phone, metadata, created_at, updated_at }) => (
            <>
              <Facts
                facts={[
                  ['Name', name || '–'],
                  ['Company', company || '–'],
                  ['Phone', phone || '–'],
                  ['Since', <Time key="since" at={created_at} />],
                  ['Changed', <Time key="changed" at={updated_at} />],
                ]}
              />
              <JsonView name="Custom fields" value={metadata} />
            </>
          )}
        </LoadedPanel>
      )}
      {isErasing && email !== undefined && (
        <Erase id={id} email={email} close={() => setErasing(false)} done={() => setErased(true)} />
      )}
    </Page>
  );
}
