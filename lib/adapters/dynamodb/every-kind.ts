// Every kind of item in every table. A kind that is missing here fails the tests that write it.
import type { DeclaredKind } from '../../core/record/define-kind.ts';
import { AUDIT_ENTRY, AUDIT_INTENT, DESK_AUDIT_INTENT } from './core/audit-log.ts';
import { IDEMPOTENCY_KEY } from './core/idempotency-store.ts';
import { DATA_KEY, KEY_ROTATION } from './core/keys/data-keys.ts';
import { DAY_KEY } from './core/keys/day-keys.ts';
import { API_KEY, API_KEY_COPY, POINTER } from './core/keys/key-list.ts';
import { KEY_USE } from './core/keys/key-uses.ts';
import { ROTATION, WRAPPING_KEY } from './core/keys/wrapping-keys.ts';
import { WINDOW_SHARE } from './core/lease-store.ts';
import { CALL_WINDOW } from './core/limits/call-limiter.ts';
import { DAILY_BUDGET } from './core/limits/daily-budget.ts';
import { LIMIT_REACHED } from './core/limits/limit-record.ts';
import { GRANT_RING } from './core/limits/rate-limiter.ts';
import { ONE_TIME_TEXT } from './core/one-time-store.ts';
import { RUN_LEASE } from './core/run-leases.ts';
import { FORMER_TEAM, FURTHER_MEMBERSHIP, MEMBERSHIP, TEAM } from './core/tenancy/members.ts';
import { PERSON } from './events/attribution-store.ts';
import { BILLING, CUSTOMER } from './events/billing-store.ts';
import { EXCHANGE_RATES } from './events/exchange-rates.ts';
import { HOT_KINDS } from './events/hot-kinds.ts';
import { PROFILE } from './events/merchants.ts';
import { ORDER } from './events/order-item.ts';
import { HORIZON } from './events/pages/horizons.ts';
import { REFUSALS } from './events/refusal-store.ts';
import { FORMER_ROUTING, ROUTING } from './events/routing/item.ts';
import { PLATFORM_PAUSES } from './events/routing/platform-pauses.ts';
import { SUPPRESSED } from './events/suppressed-people.ts';
import { ERASURES } from './events/tasks/erasure-store.ts';
import { INCIDENTS } from './events/tasks/incident-store.ts';
import { ORDERS_PIECE, RECONCILIATIONS } from './events/tasks/reconciliation-store.ts';
import { PLAN, PLAN_PLACES } from './events/tasks/replay-store.ts';
import { DESK_KINDS } from './helpdesk/desk-kinds.ts';

export const EVERY_KIND: readonly DeclaredKind[] = [
  EXCHANGE_RATES,
  ...[PROFILE, TEAM, FORMER_TEAM, MEMBERSHIP, FURTHER_MEMBERSHIP, API_KEY, API_KEY_COPY, POINTER, KEY_USE],
  ...[WRAPPING_KEY, ROTATION, DATA_KEY, KEY_ROTATION, DAY_KEY],
  ...[AUDIT_ENTRY, AUDIT_INTENT, DESK_AUDIT_INTENT],
  ...[ROUTING, FORMER_ROUTING, PLAN, PLAN_PLACES, ERASURES, RECONCILIATIONS, ORDERS_PIECE, BILLING, CUSTOMER],
  ...[INCIDENTS, PLATFORM_PAUSES, HORIZON],
  ...[ONE_TIME_TEXT, IDEMPOTENCY_KEY, DAILY_BUDGET, RUN_LEASE, CALL_WINDOW, LIMIT_REACHED, GRANT_RING],
  WINDOW_SHARE,
  ...[PERSON, SUPPRESSED, ORDER, REFUSALS, ...HOT_KINDS],
  ...DESK_KINDS,
];
