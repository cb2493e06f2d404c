// A support workspace on memory ports: the helpdesk's API, and the worker that sends to its webhooks, on one clock that stands still
// unless it is moved. Webhooks are taken.
import { hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { HELPDESK_SCOPES } from '#lib/helpdesk/domain/account/scopes.ts';
import { HELPDESK_ROUTES } from '#lib/helpdesk/routes/every-route.ts';
import { createWebhookStage } from '#services/helpdesk/webhooks/stage.ts';
import { MINE, NOW, openHelpdesk } from '#test/contract/helpdesk-host.ts';
import { createMemoryConfig } from '#test/support/memory/config-stores.ts';
import { memoryKeys } from '#test/support/memory/tenancy-stores.ts';
import { createRecorder, type Sent } from './recorder.ts';
import { COLLEAGUE, OWNER } from './shop.ts';

const transport = {
  send: async () => ({ kind: 'response', status: 204, headers: {}, body: '', latencyMs: 38 }) as const,
};

export async function openDesk() {
  const config = { ...createMemoryConfig(), ...memoryKeys('hdk') };
  const desk = await openHelpdesk({
    config,
    sessions: { verify: async (token) => ([OWNER, COLLEAGUE].includes(token) ? { sub: token } : null) },
    webhooks: { refused: () => null, transport: async () => transport },
  });
  await config.putMember({ sub: OWNER, merchantId: MINE, role: 'owner' });
  await config.putMerchant({
    merchantId: MINE,
    name: 'Lamp Shop',
    email: 'owner@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: NOW - 86_400_000,
    browserIngestion: { enabled: false, origins: [] },
  });
  const record = { keyId: 'key_1', merchantId: MINE, name: 'Shop', prefix: desk.key.slice(0, 13) };
  await config.putApiKey({
    ...record,
    sha256: hashApiKey(desk.key),
    scopes: HELPDESK_SCOPES,
    createdAtMs: NOW,
  });
  const sendOut = createWebhookStage({ ...desk.ports, transport, countDisabled: () => undefined });
  const call = (sent: Sent, takesSessions = true) => {
    const { url, headers: said = {}, ...request } = sent;
    const headers = { 'x-request-id': 'example', 'user-agent': 'Mozilla/5.0', ...said };
    return desk.call(url, { ...request, headers, ...(takesSessions ? { token: OWNER } : { key: desk.key }) });
  };
  return {
    ...createRecorder(HELPDESK_ROUTES, (sent, { auth }) =>
      call(sent, auth !== 'public' && auth.session !== undefined),
    ),
    call,
    clock: desk.clock,
    putAside: desk.stores.setAside.put,
    /** Sends what waits for webhooks. */
    async drain(): Promise<void> {
      for (;;) {
        const messages = desk.deliveries.receive(10);
        if (messages.length === 0) return;
        await sendOut(messages);
        for (const { receipt } of messages) desk.deliveries.remove(receipt);
      }
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
