// The merchant's profile. Guarantees: read as it is now, never as a process remembers it; of two changes at a time each
// writes only what it names; one that says which version it is of is written to that version or not at all.
import { audit } from '#lib/core/audit-log/audit.ts';
import { etagOf, wantedVersion } from '#lib/core/http/etag.ts';
import { type Failure, type Handlers, refuse, type Success } from '#lib/core/http/handler.ts';
import type { Route } from '#lib/core/http/route.ts';
import { isUsableKey } from '#lib/core/tenancy/api-key.ts';
import { type Caller, isAllowed } from '#lib/core/tenancy/caller.ts';
import { openInvitations } from '#lib/core/tenancy/team.ts';
import {
  browserCeilingOf,
  browserEventsPerMinuteOf,
  type Merchant,
  type MerchantCeilings,
  type ProfileChange,
  profileVersionOf,
  retentionDaysOf,
} from '#lib/events/domain/merchant.ts';
import { UTC } from '#lib/events/domain/time-zone.ts';
import { SERVER_COPY_WAIT_SEC } from '#lib/events/pipeline/server-copies.ts';
import type { ACCOUNT_ROUTES, getAccount, updateAccount } from '#lib/events/routes/account.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type Answer = Success<typeof getAccount>['body'];
type Change = NonNullable<Parameters<Handlers<(typeof ACCOUNT_ROUTES)[number]>['updateAccount']>[0]['body']>;

/** `operations`: every route there is. */
export function accountHandlers(
  ports: ApiPorts,
  operations: readonly Route[],
): Handlers<(typeof ACCOUNT_ROUTES)[number]> {
  return {
    async getAccount({ caller }) {
      const [merchant, onboarding] = await Promise.all([
        ports.config.merchantNow(caller.merchantId),
        onboardingOf(caller.merchantId, ports),
      ]);
      if (merchant === null) return { failure: 'not_found' };
      return {
        status: 200,
        body: {
          success: true,
          account: viewOf(merchant, ports.ceilings),
          caller: callerView(caller, operations),
          onboarding: {
            ...onboarding,
            server_event_names: Object.keys(merchant.serverEventNames ?? {}).sort(),
          },
        },
        headers: tagOf(merchant),
      };
    },

    async updateAccount({ caller, body, headers }) {
      const version = versionIn(headers['if-match']);
      if (version === 'none') return { failure: 'precondition_failed' };
      const tooHigh = await aboveCeiling(caller.merchantId, body, ports);
      if (tooHigh !== null) return tooHigh;
      const change = profileChangeOf(body);
      const merchant = await ports.config.updateMerchant(caller.merchantId, change, version);
      if (merchant === null) return { failure: 'not_found' };
      if (merchant === 'conflict') return { failure: 'precondition_failed' };
      await audit(caller, 'account.update', caller.merchantId, ports);
      return {
        status: 200,
        body: { success: true, account: viewOf(merchant, ports.ceilings) },
        headers: tagOf(merchant),
      };
    },
  };
}

const tagOf = (merchant: Merchant) => ({ etag: etagOf(profileVersionOf(merchant)) });

/** Undefined for any; `none` where the condition names what no version is called. */
function versionIn(ifMatch: string | undefined): number | 'none' | undefined {
  const wanted = wantedVersion(ifMatch);
  if (wanted === null) return undefined;
  return wanted !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(wanted) ? Number(wanted) : 'none';
}

function profileChangeOf({ settings = {}, ...body }: Change): ProfileChange {
  return {
    name: body.name,
    email: body.email,
    storePlatform: body.store_platform,
    storeUrl: body.store_url,
    onboardingStep: body.onboarding_step,
    onboardingCompleted: body.onboarding_completed,
    suppression: settings.suppression === 'off' ? null : settings.suppression,
    timeZone: settings.time_zone,
    reportingCurrency: settings.reporting_currency,
    retentionDays: settings.retention_days,
    allowedParameters: settings.allowed_parameters,
    withholdPersonalFrom: settings.withhold_personal_from,
    browserIngestion: {
      enabled: settings.browser_ingestion_enabled,
      origins: settings.origins,
      serverCopyWaitSec: settings.server_copy_wait_sec,
      pageCopyWaitSec: settings.page_copy_wait_sec,
      eventsPerMinuteMax: settings.events_per_minute_max,
    },
  };
}

/** Null where nothing of it is. */
async function aboveCeiling(
  merchantId: string,
  { settings = {} }: Change,
  { config, ceilings }: Pick<ApiPorts, 'config' | 'ceilings'>,
): Promise<Failure<'invalid_request'> | null> {
  const perMinute = settings.events_per_minute_max;
  const merchant = typeof perMinute === 'number' ? await config.merchantNow(merchantId) : null;
  const wanted = [
    ['events_per_minute_max', perMinute, browserCeilingOf(merchant ?? {}, ceilings)],
    ['retention_days', settings.retention_days, ceilings.retentionDays],
  ] as const;
  for (const [field, value, ceiling] of wanted)
    if (typeof value === 'number' && value > ceiling)
      return refuse(
        `settings.${field}`,
        `must be at most ${ceiling}, which is the ceiling here; the operator of this deployment raises it`,
      );
  return null;
}

function viewOf(
  merchant: Merchant,
  ceilings: MerchantCeilings,
): Success<typeof updateAccount>['body']['account'] {
  const { enabled, origins, serverCopyWaitSec, pageCopyWaitSec = 0 } = merchant.browserIngestion;
  return {
    merchant_id: merchant.merchantId,
    version: profileVersionOf(merchant),
    name: merchant.name,
    email: merchant.email,
    store_platform: merchant.storePlatform ?? null,
    store_url: merchant.storeUrl ?? null,
    onboarding_step: merchant.onboardingStep,
    onboarding_completed: merchant.onboardingCompleted,
    created_at: iso(merchant.createdAtMs),
    settings: {
      browser_ingestion_enabled: enabled,
      origins: [...origins],
      server_copy_wait_sec: serverCopyWaitSec ?? SERVER_COPY_WAIT_SEC,
      page_copy_wait_sec: pageCopyWaitSec,
      events_per_minute_max: browserEventsPerMinuteOf(merchant, ceilings),
      retention_days: retentionDaysOf(merchant, ceilings.retentionDays),
      time_zone: merchant.timeZone ?? UTC,
      reporting_currency: merchant.reportingCurrency ?? null,
      allowed_parameters: [...(merchant.allowedParameters ?? [])],
      withhold_personal_from: [...(merchant.withholdPersonalFrom ?? [])],
      suppression: merchant.suppression ?? 'off',
    },
  };
}

const callerView = (caller: Caller, operations: readonly Route[]): Answer['caller'] => ({
  kind: caller.kind,
  id: caller.kind === 'session' ? caller.sub : caller.keyId,
  role: caller.kind === 'session' ? caller.role : null,
  operations: operations.filter(({ auth }) => isAllowed(auth, caller)).map(({ id }) => id),
});

async function onboardingOf(
  merchantId: string,
  { config, clock }: ApiPorts,
): Promise<Omit<Answer['onboarding'], 'server_event_names'>> {
  const [connections, keys, team] = await Promise.all([
    config.listConnections(merchantId),
    config.listApiKeys(merchantId),
    config.team(merchantId),
  ]);
  const nowMs = clock.now();
  return {
    connections: connections.length,
    active_api_keys: keys.filter((key) => isUsableKey(key, nowMs)).length,
    members: team.members.length,
    open_invitations: openInvitations(team, nowMs).length,
  };
}
