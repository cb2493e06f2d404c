// Where tickets, messages, contacts and what belongs to them rest, and the helpdesk's audit log: apart from its functions, for
// the reason given in events-data.ts.
import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { HELPDESK_ENV, HELPDESK_INDEX } from '../../lib/helpdesk/domain/topology.ts';
import { DataTable, publishTables, textKey } from '../constructs/data-table.ts';
import type { MillraceStackProps } from '../settings.ts';

export class HelpdeskDataStack extends Stack {
  readonly records: DataTable;
  readonly audit: DataTable;

  constructor(scope: Construct, id: string, { settings, synthesizer }: MillraceStackProps) {
    super(scope, id, {
      synthesizer,
      description: 'Millrace: tables of the helpdesk',
      terminationProtection: !settings.ephemeral,
    });
    const tables = new Construct(this, 'HelpdeskTables');
    const keys = { settings, partitionKey: textKey('pk'), sortKey: textKey('sk') };
    this.records = new DataTable(tables, 'Records', {
      ...keys,
      name: 'helpdesk',
      variable: HELPDESK_ENV.recordsTable,
      // Of deliveries and tokens that were taken away: tickets have no such attribute.
      timeToLiveAttribute: 'ex',
      indexes: [
        { name: HELPDESK_INDEX.lists, partitionKey: textKey('lp'), sortKey: textKey('ls') },
        { name: HELPDESK_INDEX.waiting, partitionKey: textKey('wp'), sortKey: textKey('wa') },
        { name: HELPDESK_INDEX.due, partitionKey: textKey('dp'), sortKey: textKey('da') },
      ],
    });
    // A table of its own: no function may change or delete an entry; DynamoDB does when its time has come.
    this.audit = new DataTable(tables, 'Audit', {
      ...keys,
      name: 'helpdesk-audit',
      variable: HELPDESK_ENV.auditTable,
      timeToLiveAttribute: 'ex',
    });
    publishTables(this, { HelpdeskTable: this.records, HelpdeskAuditTable: this.audit });
  }
}
