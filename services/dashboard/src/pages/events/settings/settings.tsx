// Settings: the shop, what its pages may send, and how long personal data is kept. Only what was changed is sent; what the
// API refuses lands at its field.

import { useState } from 'react';
import { useAccount, useRefusal } from '#dashboard/app/account.ts';
import { type Answer, type Input, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, Form, fieldsOf } from '#dashboard/parts/field.tsx';
import { Failure, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { problemsOf } from '#dashboard/parts/problems.ts';
import { Time } from '#dashboard/parts/written.tsx';

type Account = Answer<'getAccount'>['account'];
type Changes = Input<'updateAccount'>['body'];

interface Typed {
  readonly name: string;
  readonly store_url: string;
  readonly browser_ingestion_enabled: string;
  readonly origins: string;
  readonly retention_days: string;
  readonly events_per_minute_max: string;
}

const typedOf = ({ name, store_url, settings }: Account): Typed => ({
  name,
  store_url: store_url ?? '',
  browser_ingestion_enabled: String(settings.browser_ingestion_enabled),
  origins: settings.origins.join(' '),
  retention_days: String(settings.retention_days),
  events_per_minute_max: String(settings.events_per_minute_max),
});

/** Empty: back to the default. */
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function changesOf(before: Typed, typed: Typed): Changes {
  const differs = (name: keyof Typed): boolean => before[name] !== typed[name];
  const settings = {
    ...(differs('browser_ingestion_enabled')
      ? { browser_ingestion_enabled: typed.browser_ingestion_enabled === 'true' }
      : {}),
    ...(differs('origins') ? { origins: typed.origins.split(/\s+/).filter((one) => one !== '') } : {}),
    ...(differs('retention_days') ? { retention_days: numberOf(typed.retention_days) } : {}),
    ...(differs('events_per_minute_max')
      ? { events_per_minute_max: numberOf(typed.events_per_minute_max) }
      : {}),
  };
  return {
    ...(differs('name') ? { name: typed.name } : {}),
    ...(differs('store_url') ? { store_url: typed.store_url.trim() === '' ? null : typed.store_url } : {}),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

export default function SettingsPage() {
  const account = useAccount();
  return (
    <Page title="Settings" about="Your shop, what its pages may send, and how long personal data is kept.">
      <Loaded query={account} rows={6}>
        {({ account: shown }) => <ShopForm key={JSON.stringify(shown)} account={shown} />}
      </Loaded>
    </Page>
  );
}

function ShopForm({ account }: { readonly account: Account }) {
  const before = typedOf(account);
  const [typed, setTyped] = useState(before);
  const refusal = useRefusal('updateAccount');
  const update = useChange(({ client }, body: Changes) => client.updateAccount({ body }), {
    refresh: ['getAccount'],
  });
  const changes = changesOf(before, typed);
  const isSame = Object.keys(changes).length === 0;
  const { at, rest } = problemsOf(update.error, Object.keys(before), 'settings.');
  const bind = fieldsOf(typed, (name, text) => setTyped({ ...typed, [name]: text }), {
    at,
  });
  return (
    <Panel title="Shop">
      {refusal !== undefined && <Notice tone="plain">{refusal}</Notice>}
      <Form
        send={() => {
          if (isSame || refusal !== undefined) return;
          update.send(changes);
        }}
      >
        <div className="grid max-w-160 gap-4">
          <Field label="Name" maxLength={200} {...bind('name')} />
          <Field label="Address of the shop" {...bind('store_url')} />
          <Choice
            label="Events from browsers"
            options={[
              ['true', 'taken'],
              ['false', 'refused'],
            ]}
            {...bind('browser_ingestion_enabled')}
          />
          <Field
            label="Origins of the pages whose events are taken"
            help="Such as https://shop.example, with spaces between. Any page where there is none."
            {...bind('origins')}
          />
          <Field
            label="Browser events a minute, at most"
            inputMode="numeric"
            help="Empty: the default."
            {...bind('events_per_minute_max')}
          />
          <Field
            label="Days for which personal data is kept"
            inputMode="numeric"
            help="Fewer days erase at the next hour what is older, for good. Empty: the default."
            {...bind('retention_days')}
          />
        </div>
        <Failure error={rest} />
        <div className="mt-4 flex items-center gap-3">
          <Button
            type="submit"
            kind="primary"
            busy={update.isPending}
            refused={refusal ?? (isSame ? 'Nothing was changed.' : undefined)}
          >
            Save
          </Button>
          <output>{update.data && isSame ? 'Saved; ingestion follows within half a minute.' : ''}</output>
        </div>
      </Form>
      <p className="mt-4 text-sm text-dim">
        Merchant <span className="foreign font-mono">{account.merchant_id}</span>, since{' '}
        <Time at={account.created_at} />.
      </p>
    </Panel>
  );
}
