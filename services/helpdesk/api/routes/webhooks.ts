// Webhooks of a workspace, by their older paths and by v1: the same handlers.
import type { Handlers } from '#lib/core/http/handler.ts';
import { newWebhookSecret, secretContext, secretHint } from '#lib/core/webhooks/signature.ts';
import { webhookUrl } from '#lib/core/webhooks/url.ts';
import { idOfRequest } from '#lib/helpdesk/domain/account/derived-id.ts';
import { changesOf } from '#lib/helpdesk/domain/audit/audit.ts';
import {
  AUDITED_WEBHOOK,
  deliveryView,
  newWebhook,
  OVERLAP_MS,
  patched,
  SECRETS_MAX,
  webhookView,
  withNewSecret,
} from '#lib/helpdesk/domain/webhooks/change.ts';
import { WEBHOOKS_MAX, type Webhook } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { WEBHOOK_ROUTES } from '#lib/helpdesk/routes/webhooks.ts';
import { invalid, listed, NOT_FOUND } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { changeWebhooks, findWebhook } from '../webhooks/change-webhooks.ts';
import { resend } from '../webhooks/resend.ts';
import { sendTest } from '../webhooks/send-test.ts';

type WebhookHandlers = Handlers<(typeof WEBHOOK_ROUTES)[number]>;
/** By what it holds, so that a call of the older path is one of its twin. */
type Shape<T> = { readonly [Key in keyof T]: T[Key] };
type CallOf<Id extends keyof WebhookHandlers> = Shape<Parameters<WebhookHandlers[Id]>[0]>;
type AnswerOf<Id extends keyof WebhookHandlers> = ReturnType<WebhookHandlers[Id]>;

export function webhookHandlers(ports: HelpdeskApiPorts): WebhookHandlers {
  const list = (call: CallOf<'listWebhooks'>) => listAll(call, ports);
  const create = (base: string) => (call: CallOf<'createWebhook'>) => createOne(base, call, ports);
  const read = (call: CallOf<'getWebhook'>) => readOne(call, ports);
  const update = (call: CallOf<'updateWebhook'>) => updateOne(call, ports);
  const remove = (call: CallOf<'deleteWebhook'>) => removeOne(call, ports);
  const rotate = (call: CallOf<'rotateWebhookSecret'>) => rotateSecret(call, ports);
  const test = (call: CallOf<'testWebhook'>) => testOne(call, ports);
  const deliveries = (call: CallOf<'listWebhookDeliveries'>) => listDeliveries(call, ports);
  const retry = (call: CallOf<'retryWebhookDelivery'>) => retryDelivery(call, ports);
  return {
    findWebhooks: list,
    addWebhook: create('/api/webhooks'),
    readWebhook: read,
    changeWebhook: update,
    removeWebhook: remove,
    renewWebhookSecret: rotate,
    tryWebhook: test,
    findWebhookDeliveries: deliveries,
    resendWebhookDelivery: retry,
    listWebhooks: list,
    createWebhook: create('/api/v1/webhooks'),
    getWebhook: read,
    updateWebhook: update,
    deleteWebhook: remove,
    rotateWebhookSecret: rotate,
    testWebhook: test,
    listWebhookDeliveries: deliveries,
    retryWebhookDelivery: retry,
  };
}

async function listAll(
  { caller }: CallOf<'listWebhooks'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'listWebhooks'> {
  const { merchantId } = caller;
  const stored = await ports.stores.webhooks.read(merchantId, merchantId);
  const webhooks = await Promise.all(
    (stored?.record.webhooks ?? []).map((webhook) => shown(merchantId, webhook, ports)),
  );
  return { status: 200, body: { success: true, webhooks, total: webhooks.length } };
}

async function createOne(
  base: string,
  call: CallOf<'createWebhook'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'createWebhook'> {
  const { body } = call;
  const checked = webhookUrl(body.url, ports.webhooks.refused);
  if ('problem' in checked) return invalid('url', checked.problem);
  const atMs = ports.clock.now();
  const id = idOfRequest(call.idRoot, 'webhook', () => ports.random.uuidv7(atMs));
  const { secret, sealed } = await freshSecret(call, id, ports);
  const webhook = newWebhook(id, { ...body, url: checked.url }, sealed, atMs);
  const made = await changeWebhooks<Webhook | null>(
    call,
    (webhooks) => {
      // An earlier attempt of this request made it.
      const found = webhooks.find((one) => one.id === id);
      if (found !== undefined || webhooks.length >= WEBHOOKS_MAX) return { result: found ?? null };
      const changes = changesOf(null, webhook, AUDITED_WEBHOOK);
      return { action: 'created', webhookId: id, webhooks: [...webhooks, webhook], changes, result: webhook };
    },
    ports,
  );
  if (made === null) return invalid('webhooks', `a workspace has at most ${WEBHOOKS_MAX}`);
  const own = made === webhook ? null : await ownSecret(call, made, ports);
  return {
    status: 201,
    body: { success: true, webhook: { ...webhookView(made, null), secret: own ?? secret } },
    headers: { location: `${base}/${id}` },
  };
}

async function readOne(
  { caller, params }: CallOf<'getWebhook'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'getWebhook'> {
  const webhook = await findWebhook(caller.merchantId, params.id, ports);
  if (webhook === null) return NOT_FOUND;
  return { status: 200, body: { success: true, webhook: await shown(caller.merchantId, webhook, ports) } };
}

async function updateOne(call: CallOf<'updateWebhook'>, ports: HelpdeskApiPorts): AnswerOf<'updateWebhook'> {
  const { caller, params, body } = call;
  const checked = body.url === undefined ? null : webhookUrl(body.url, ports.webhooks.refused);
  if (checked !== null && 'problem' in checked) {
    // Whose id it is comes first: a caller learns nothing of what it may not see.
    const isThere = (await findWebhook(caller.merchantId, params.id, ports)) !== null;
    return isThere ? invalid('url', checked.problem) : NOT_FOUND;
  }
  const atMs = ports.clock.now();
  const updated = await changeOne(
    call,
    (webhook) => {
      const next = patched(webhook, { ...body, url: checked?.url }, atMs);
      return { next, action: 'updated', isChange: next !== webhook };
    },
    ports,
  );
  if (updated === null) return NOT_FOUND;
  return { status: 200, body: { success: true, webhook: await shown(caller.merchantId, updated, ports) } };
}

async function removeOne(call: CallOf<'deleteWebhook'>, ports: HelpdeskApiPorts): AnswerOf<'deleteWebhook'> {
  const { id } = call.params;
  const isGone = await changeWebhooks(
    call,
    (webhooks) => {
      const found = webhooks.find((webhook) => webhook.id === id);
      if (found === undefined) return { result: false };
      return {
        action: 'deleted',
        webhookId: id,
        webhooks: webhooks.filter((webhook) => webhook !== found),
        changes: changesOf(found, null, AUDITED_WEBHOOK),
        result: true,
      };
    },
    ports,
  );
  return isGone ? { status: 200, body: { success: true, id } } : NOT_FOUND;
}

async function rotateSecret(
  call: CallOf<'rotateWebhookSecret'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'rotateWebhookSecret'> {
  const { caller, params } = call;
  const atMs = ports.clock.now();
  if ((await findWebhook(caller.merchantId, params.id, ports)) === null) return NOT_FOUND;
  const { secret, sealed } = await freshSecret(call, params.id, ports);
  let isFull = false;
  const rotated = await changeOne(
    call,
    (webhook) => {
      isFull = false;
      if (sealedBy(call, webhook) !== undefined)
        return { next: webhook, action: 'secret_rotated', isChange: false };
      const next = withNewSecret(webhook, sealed, atMs);
      isFull = next === null;
      return { next: next ?? webhook, action: 'secret_rotated', isChange: next !== null };
    },
    ports,
  );
  if (rotated === null) return NOT_FOUND;
  if (isFull)
    return invalid(
      'secret',
      `at most ${SECRETS_MAX} sign at a time, each for ${OVERLAP_MS / 3_600_000} hours`,
    );
  const view = await shown(caller.merchantId, rotated, ports);
  const own = await ownSecret(call, rotated, ports);
  return { status: 200, body: { success: true, webhook: { ...view, secret: own ?? secret } } };
}

async function testOne(call: CallOf<'testWebhook'>, ports: HelpdeskApiPorts): AnswerOf<'testWebhook'> {
  const { event = 'ticket.created', payload = {} } = call.body ?? {};
  const webhook = await changeOne(
    call,
    (found) => ({ next: found, action: 'tested', isChange: true }),
    ports,
  );
  if (webhook === null) return NOT_FOUND;
  const delivered = await sendTest(call.caller.merchantId, webhook, { event, payload }, ports);
  return { status: 200, body: { success: true, delivered } };
}

async function listDeliveries(
  { caller, params, query }: CallOf<'listWebhookDeliveries'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'listWebhookDeliveries'> {
  const { merchantId } = caller;
  const { limit, offset } = query;
  if ((await findWebhook(merchantId, params.id, ports)) === null) return NOT_FOUND;
  const { ids, total } = await ports.stores.lists.deliveries(merchantId, params.id, { limit, offset });
  const rows = await ports.stores.deliveries.readMany(merchantId, ids);
  const byId = new Map(rows.map(({ record }) => [record.id, record]));
  const deliveries = ids.flatMap((id) => byId.get(id) ?? []).map(deliveryView);
  return listed({ deliveries, total, limit, offset }, { isCapped: total >= TOTAL_MAX });
}

async function retryDelivery(
  { caller, params }: CallOf<'retryWebhookDelivery'>,
  ports: HelpdeskApiPorts,
): AnswerOf<'retryWebhookDelivery'> {
  const webhook = await findWebhook(caller.merchantId, params.id, ports);
  if (webhook === null || !params.delivery_id.endsWith(`.${webhook.id}`)) return NOT_FOUND;
  if (!webhook.active) return invalid('webhook', 'is disabled: nothing is sent to it');
  const delivery = await resend(caller.merchantId, params.delivery_id, ports);
  if (delivery === null) return NOT_FOUND;
  if (delivery === 'test') return invalid('delivery_id', 'is a test, which is never repeated');
  return { status: 200, body: { success: true, delivery: deliveryView(delivery) } };
}

/** The webhook as it is then; null where there is none. */
async function changeOne(
  call: CallOf<'getWebhook'> | CallOf<'updateWebhook'> | CallOf<'testWebhook'>,
  decide: (webhook: Webhook) => {
    readonly next: Webhook;
    readonly action: 'updated' | 'secret_rotated' | 'tested';
    readonly isChange: boolean;
  },
  ports: HelpdeskApiPorts,
): Promise<Webhook | null> {
  const { id } = call.params;
  return await changeWebhooks<Webhook | null>(
    call,
    (webhooks) => {
      const found = webhooks.find((webhook) => webhook.id === id);
      if (found === undefined) return { result: null };
      const { next, action, isChange } = decide(found);
      if (!isChange) return { result: next };
      return {
        action,
        webhookId: id,
        webhooks: webhooks.map((webhook) => (webhook === found ? next : webhook)),
        changes: changesOf(found, next, AUDITED_WEBHOOK),
        result: next,
      };
    },
    ports,
  );
}

async function freshSecret(
  { caller, idRoot }: Pick<CallOf<'createWebhook'>, 'caller' | 'idRoot'>,
  webhookId: string,
  { vault, random }: HelpdeskApiPorts,
) {
  const secret = newWebhookSecret(() => random.next());
  const sealed = await vault.seal(caller.merchantId, secretContext(webhookId), secret);
  const by = idRoot === undefined ? {} : { idRoot };
  return { secret, sealed: { sealed, hint: secretHint(secret), ...by } };
}

/** The secret that an attempt of this request made. */
const sealedBy = ({ idRoot }: Pick<CallOf<'createWebhook'>, 'idRoot'>, { secrets }: Webhook) =>
  idRoot === undefined ? undefined : secrets.find((one) => one.idRoot === idRoot);

/** It, to be shown; null where none did, or where it has been replaced. */
async function ownSecret(
  call: Pick<CallOf<'createWebhook'>, 'caller' | 'idRoot'>,
  webhook: Webhook,
  { vault }: HelpdeskApiPorts,
): Promise<string | null> {
  const own = sealedBy(call, webhook);
  return own === undefined
    ? null
    : await vault.open(call.caller.merchantId, secretContext(webhook.id), own.sealed);
}

async function shown(workspaceId: string, webhook: Webhook, { stores }: HelpdeskApiPorts) {
  return webhookView(webhook, await stores.health.readHealth(workspaceId, webhook.id));
}
