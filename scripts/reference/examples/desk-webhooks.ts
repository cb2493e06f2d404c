// The webhooks of the story, by their older paths and by those of v1.
import type { Desk } from './desk.ts';

const BODY = { url: 'https://shop.example/hooks', events: ['ticket.created'], description: 'Warehouse' };
/** Not to be taken for real ones. */
const DUMMIES = ['whsec_EXAMPLEofTheFirstSecret', 'whsec_EXAMPLEofTheSecondSecret'] as const;

async function hidden(
  desk: Desk,
  asked: Promise<{ webhook: { id: string; secret: string; secret_hint: string } }>,
  which: 0 | 1,
) {
  const { id, secret, secret_hint: hint } = (await asked).webhook;
  desk.hide(secret, DUMMIES[which]);
  desk.hide(`"${hint}"`, `"${DUMMIES[which].slice(-hint.length)}"`);
  return { id };
}

export async function deskWebhooks(desk: Desk): Promise<void> {
  await older(desk);
  await newer(desk);
}

/** Something that webhooks hear of. */
async function happen(desk: Desk): Promise<void> {
  const body = { customer_email: 'jane@example.com', subject: 'A question', body: 'Do you ship abroad?' };
  await desk.call({ method: 'POST', url: '/api/tickets', body }, false);
  await desk.drain();
}

async function older(desk: Desk): Promise<void> {
  const params = await hidden(desk, desk.keep('addWebhook', { body: BODY }), 0);
  await desk.keep('findWebhooks');
  await desk.keep('readWebhook', { params });
  await desk.keep('changeWebhook', { params, body: { events: ['*'] } });
  await happen(desk);
  const { deliveries } = await desk.keep('findWebhookDeliveries', { params, query: { limit: '1' } });
  const delivery = { ...params, delivery_id: deliveries[0]?.id ?? '' };
  await desk.keep('resendWebhookDelivery', { params: delivery });
  await desk.keep('tryWebhook', { params, body: { event: 'ticket.created' } });
  await hidden(desk, desk.keep('renewWebhookSecret', { params }), 1);
  await desk.keep('removeWebhook', { params });
}

async function newer(desk: Desk): Promise<void> {
  const params = await hidden(desk, desk.keep('createWebhook', { body: BODY }), 0);
  await desk.keep('listWebhooks');
  await desk.keep('getWebhook', { params });
  await desk.keep('updateWebhook', { params, body: { description: null } });
  await happen(desk);
  const { deliveries } = await desk.keep('listWebhookDeliveries', { params, query: { limit: '1' } });
  const delivery = { ...params, delivery_id: deliveries[0]?.id ?? '' };
  await desk.keep('retryWebhookDelivery', { params: delivery });
  await desk.keep('testWebhook', { params, body: { event: 'ticket.created' } });
  await hidden(desk, desk.keep('rotateWebhookSecret', { params }), 1);
  await desk.keep('deleteWebhook', { params });
}
