// The URLs and credentials of a running host, as in `session.json`.
import type { HelpdeskSample } from './helpdesk-sample.ts';

export interface Session {
  readonly ingestion_url: string;
  readonly api_url: string;
  /** Everything above under one address. */
  readonly origin_url: string;
  /** Where a person signs in and looks; at the same address. */
  readonly dashboard_url: string;
  readonly sandbox_url: string;
  readonly helpdesk_url: string;
  /** Of the same workspace as the merchant, with every scope. */
  readonly helpdesk_api_key: string;
  /** What its helpdesk began with, by id. */
  readonly helpdesk_sample: HelpdeskSample;
  readonly merchant_id: string;
  readonly api_key: string;
  /** Of the merchant's owner, for 12 hours from the start. */
  readonly session_jwt: string;
  readonly issuer_url: string;
  /** The dashboard's, at the issuer. */
  readonly client_id: string;
  readonly dynamodb_url: string;
  readonly sqs_url: string;
  readonly owner_email: string;
  readonly owner_password: string;
  /** What an operator may do and no merchant can, for who has the token: it is another one at each start. */
  readonly operator_url: string;
  /** The same for what changes nothing. */
  readonly operator_reader_url: string;
  readonly operator_token: string;
  /** As the stacks' outputs name them. */
  readonly outputs: Readonly<Record<string, string>>;
}
