// One contact: what is kept of it, all of it as a file, and its end.
import { lazy, Suspense, useState } from 'react';
import { useScopeRefusal } from '#dashboard/app/account.ts';
import { type Client, useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { JsonView } from '#dashboard/parts/json-view.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { saveAs } from '#dashboard/parts/save-as.ts';
import { Failure, Loaded, Notice } from '#dashboard/parts/states.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { Time } from '#dashboard/parts/written.tsx';
import { exportAll } from './export.ts';

const Erase = lazy(() => import('./erase.tsx'));

const ADMINS_ONLY = 'An admin or an owner can do this.';

export function OneContact({ id, back }: { readonly id: string; readonly back: string }) {
  const [isErasing, setErasing] = useState(false);
  const [isErased, setErased] = useState(false);
  const contact = useAsk(['contacts', 'one', id], async (_client, signal, helpdesk) => {
    const answer = await helpdesk.getContact({ params: { id } }, { signal });
    if (answer.status !== 200) throw new Error('a copy was not asked about');
    return { body: answer.body };
  });
  const file = useChange((_client: Client, _: null, helpdesk) => exportAll(helpdesk, id));
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
              <Button
                busy={file.isPending}
                refused={refused}
                onClick={() => file.send(null, (all) => saveAs(`contact-${id}.json`, all))}
              >
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
      {file.error && <Failure error={file.error} />}
      {file.data && !isErased && <Notice tone="plain">Everything that is kept was saved as a file.</Notice>}
      {isErased ? (
        <Notice tone="plain">
          The erasure has begun and ends by itself. The record goes, and what the contact wrote is taken out
          of its tickets, which keep their code, state and times.
        </Notice>
      ) : (
        <Panel title="What is kept">
          <Loaded query={contact} rows={5}>
            {({ name, company, phone, metadata, created_at, updated_at }) => (
              <>
                <dl className="mb-4 flex flex-wrap gap-6">
                  <Pair name="Name" value={name} />
                  <Pair name="Company" value={company} />
                  <Pair name="Phone" value={phone} />
                  <div>
                    <dt className="text-sm text-dim">Since</dt>
                    <dd>
                      <Time at={created_at} />
                    </dd>
                  </div>
                  <div>
                    <dt className="text-sm text-dim">Changed</dt>
                    <dd>
                      <Time at={updated_at} />
                    </dd>
                  </div>
                </dl>
                <JsonView name="Custom fields" value={metadata} />
              </>
            )}
          </Loaded>
        </Panel>
      )}
      {isErasing && email !== undefined && (
        <Suspense>
          <Erase id={id} email={email} close={() => setErasing(false)} done={() => setErased(true)} />
        </Suspense>
      )}
    </Page>
  );
}

const Pair = ({ name, value }: { readonly name: string; readonly value: string | null }) => (
  <div className="min-w-0">
    <dt className="text-sm text-dim">{name}</dt>
    <dd className="foreign">{value || '–'}</dd>
  </div>
);
