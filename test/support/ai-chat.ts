// The API with an assistant whose model is a script; its answers as events.
import { createChatModel } from '../../lib/adapters/ai/chat-model.ts';
import { createLeasedWindow } from '../../lib/core/work/leased-window.ts';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import type { ApiPorts, AssistantPorts } from '../../services/events/api/ports.ts';
import { MINE, NOW, openApi } from '../contract/api-host.ts';
import { createMemoryDailyBudget, createMemoryOneTimeStore } from './memory/assistant-stores.ts';
import { createMemoryLeaseStore } from './memory/lease-store.ts';
import { type Script, startScriptedModel } from './scripted-model.ts';

const SHOP: Merchant = {
  merchantId: MINE,
  name: 'Shop',
  email: 'owner@shop.example',
  onboardingStep: 'connect',
  onboardingCompleted: false,
  createdAtMs: NOW - 86_400_000,
  browserIngestion: { enabled: true, origins: [] },
};

// biome-ignore lint/suspicious/noExplicitAny: what an event holds is what a test is about.
export type ChatEvent = { readonly event: string; readonly data: any };

export function chatEventsOf(text: string): readonly ChatEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) };
    });
}

const open: { close(): Promise<void> }[] = [];

/** After each test. */
export async function closeChats(): Promise<void> {
  await Promise.all(open.splice(0).map((model) => model.close()));
}

/** `changes`: null for no assistant. */
export async function openChat(
  script: Script,
  changes: Partial<AssistantPorts> | null = {},
  others: (ports: ApiPorts) => Partial<ApiPorts> = () => ({}),
) {
  const model = await startScriptedModel(script);
  open.push(model);
  const confirmations = createMemoryOneTimeStore();
  const perDay = createMemoryDailyBudget();
  const assistant: AssistantPorts = {
    model: () =>
      createChatModel({
        provider: 'openai-compatible',
        model: 'scripted',
        baseUrl: model.baseUrl,
        apiKey: 'sk-test',
      }),
    confirmations,
    perMinute: createLeasedWindow(createMemoryLeaseStore(), {
      windowMs: 60_000,
      free: () => 0,
      share: () => 1,
    }),
    perDay,
    limits: { requestsPerMinute: 100, requests: 1_000, tokens: 1_000_000 },
    deadline: () => new AbortController().signal,
    ...changes,
  };
  const host = await openApi((ports) => ({
    ...others(ports),
    assistant: changes === null ? null : assistant,
  }));
  await host.config.putMerchant(SHOP);

  return {
    host,
    model,
    confirmations,
    perDay,
    /** The events of an answer; a refusal is thrown. */
    ask: async (content: string, more: { readonly confirm?: string; readonly token?: string } = {}) => {
      const { token = host.session('owner'), confirm } = more;
      const body = { messages: [{ role: 'user', content }], ...(confirm === undefined ? {} : { confirm }) };
      const reply = await host.call('/v1/ai/chat', { method: 'POST', token, body });
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return chatEventsOf(reply.text);
    },
  };
}

/** What the model was told a call brought, by the request that told it. */
export const toldResults = (
  messages: readonly { readonly role: string; readonly content?: unknown }[],
): string[] => messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
