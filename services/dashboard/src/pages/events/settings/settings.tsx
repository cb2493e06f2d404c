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

/** Empty: back to the default. */
const NUMBERS = [
  'server_copy_wait_sec',
  'page_copy_wait_sec',
  'events_per_minute_max',
  'retention_days',
] as const satisfies readonly (keyof Account['settings'])[];
/** Likewise. */
const TEXTS = [
  'time_zone',
  'reporting_currency',
  'suppression',
] as const satisfies readonly (keyof Account['settings'])[];
/** With spaces between. */
const LISTS = [
  'origins',
  'allowed_parameters',
  'withhold_personal_from',
] as const satisfies readonly (keyof Account['settings'])[];

type Name =
  | 'name'
  | 'store_url'
  | (typeof TEXTS)[number]
  | 'browser_ingestion_enabled'
  | (typeof NUMBERS)[number]
  | (typeof LISTS)[number];
type Typed = Readonly<Record<Name, string>>;

const typedOf = ({ name, store_url, settings }: Account): Typed => ({
  name,
  store_url: store_url ?? '',
  time_zone: settings.time_zone,
  reporting_currency: settings.reporting_currency ?? '',
  suppression: settings.suppression,
  browser_ingestion_enabled: String(settings.browser_ingestion_enabled),
  server_copy_wait_sec: String(settings.server_copy_wait_sec),
  page_copy_wait_sec: String(settings.page_copy_wait_sec),
  events_per_minute_max: String(settings.events_per_minute_max),
  retention_days: String(settings.retention_days),
  origins: settings.origins.join(' '),
  allowed_parameters: settings.allowed_parameters.join(' '),
  withhold_personal_from: settings.withhold_personal_from.join(' '),
});

function changesOf(before: Typed, typed: Typed): Changes {
  const differs = (name: Name): boolean => before[name] !== typed[name];
  const settings = Object.fromEntries([
    ...(differs('browser_ingestion_enabled')
      ? [['browser_ingestion_enabled', typed.browser_ingestion_enabled === 'true']]
      : []),
    ...TEXTS.filter(differs).map((name) => [name, typed[name].trim() === '' ? null : typed[name].trim()]),
    ...NUMBERS.filter(differs).map((name) => [name, typed[name].trim() === '' ? null : Number(typed[name])]),
    ...LISTS.filter(differs).map((name) => [name, typed[name].split(/\s+/).filter((one) => one !== '')]),
  ]);
  return {
    ...(differs('name') ? { name: typed.name } : {}),
    ...(differs('store_url') ? { store_url: typed.store_url.trim() === '' ? null : typed.store_url } : {}),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

const DEFAULT = 'Empty: the default.';

export default function SettingsPage() {
  const account = useAccount();
  const update = useUpdate();
  return (
    <Page title="Settings" about="Your shop, what its pages may send, and how long personal data is kept.">
      <Loaded query={account} rows={6}>
        {({ account: shown }) => <ShopForm key={JSON.stringify(shown)} account={shown} update={update} />}
      </Loaded>
    </Page>
  );
}

/** Of the page: the form begins anew with what was saved. */
const useUpdate = () =>
  useChange(({ client }, body: Changes) => client.updateAccount({ body }), { refresh: ['getAccount'] });

interface FormProps {
  readonly account: Account;
  readonly update: ReturnType<typeof useUpdate>;
}

function ShopForm({ account, update }: FormProps) {
  const before = typedOf(account);
  const [typed, setTyped] = useState(before);
  const refusal = useRefusal('updateAccount');
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
          <Field
            label="Time zone"
            help={`Whose days figures and lists go by, such as Europe/Berlin. ${DEFAULT}`}
            {...bind('time_zone')}
          />
          <Field
            label="Currency of sums"
            help="Such as EUR: revenue in other currencies is shown in it, at the rates of PUT /v1/account/rates. Empty: each currency stands alone."
            maxLength={3}
            {...bind('reporting_currency')}
          />
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
            help={DEFAULT}
            {...bind('events_per_minute_max')}
          />
          <Field
            label="Seconds for which a browser event waits for the server’s"
            inputMode="numeric"
            help={`Where servers send events of its name too: it yields to those. ${DEFAULT}`}
            {...bind('server_copy_wait_sec')}
          />
          <Field
            label="Seconds for which a server’s order waits for the browser’s"
            inputMode="numeric"
            help={`Where it has no click id: it is completed from the page. 0: it does not wait. ${DEFAULT}`}
            {...bind('page_copy_wait_sec')}
          />
          <Field
            label="Parameters that may hold personal data"
            help="Names in addresses and in custom data, with spaces between. E-mail addresses, phone numbers and names in others are removed before anything is sent to a platform."
            {...bind('allowed_parameters')}
          />
          <Field
            label="Platforms that get no event with personal data in it"
            help="Such as meta tiktok, with spaces between. Others get the event, without what was found."
            {...bind('withhold_personal_from')}
          />
          <Field
            label="Days for which personal data is kept"
            inputMode="numeric"
            help={`Fewer days erase at the next hour what is older, for good. ${DEFAULT}`}
            {...bind('retention_days')}
          />
          <Choice
            label="Later events of people who were erased or objected"
            options={[
              ['off', 'like any other'],
              ['without_identity', 'sent without their person'],
              ['not_sent', 'not sent'],
            ]}
            {...bind('suppression')}
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
