// What the stage that delivers to webhooks needs from the outside.
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface WebhookPorts extends DrainPorts {
  /** For secrets. */
  readonly vault: Pick<Vault, 'open'>;
  /** Connects to what webhooks may reach, and follows no redirect. */
  readonly transport: Transport;
  /** Called for each webhook that was disabled: an alarm counts them. */
  readonly countDisabled: (figure: DisabledFigure, text: string) => void;
}

export interface DisabledFigure {
  readonly metric: 'webhook_disabled';
  readonly value: 1;
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly reason: 'gone' | 'failing';
}
