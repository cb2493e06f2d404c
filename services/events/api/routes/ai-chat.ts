// Asking the assistant. What it takes is loaded by the first question: most processes are never asked.
import type { Handlers } from '#lib/core/http/handler.ts';
import type { AI_ROUTES } from '#lib/events/routes/assistant/ai-chat.ts';
import type { ServedRoutes } from '../assistant/answer-chat.ts';
import type { ApiPorts } from '../ports.ts';

export function aiChatHandlers(ports: ApiPorts, served: ServedRoutes): Handlers<(typeof AI_ROUTES)[number]> {
  return {
    async aiChat(call) {
      const { assistant } = ports;
      if (assistant === null) return { failure: 'ai_not_configured' };
      const { answerChat } = await import('../assistant/answer-chat.ts');
      return await answerChat(call, served, ports, assistant);
    },
  };
}
