// The objects as a table of Athena, whose partitions are worked out from their names: none has ever to be added.
import type { S3Credentials } from './credentials.ts';
import { COLUMNS } from './line.ts';

export function s3Table({ bucket, prefix }: S3Credentials): string {
  const events = `s3://${[bucket, prefix, 'events'].filter((part) => part !== undefined).join('/')}/`;
  return `CREATE EXTERNAL TABLE millrace_events (
${COLUMNS.map(({ name, type }) => `  \`${name}\` ${type}`).join(',\n')}
)
PARTITIONED BY (\`dt\` string, \`hour\` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
LOCATION '${events}'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.dt.type' = 'date',
  'projection.dt.format' = 'yyyy-MM-dd',
  'projection.dt.range' = '2026-01-01,NOW',
  'projection.dt.interval' = '1',
  'projection.dt.interval.unit' = 'DAYS',
  'projection.hour.type' = 'integer',
  'projection.hour.range' = '0,23',
  'projection.hour.digits' = '2',
  'storage.location.template' = '${events}dt=\${dt}/hour=\${hour}/'
);

CREATE OR REPLACE VIEW millrace_events_once AS
SELECT * FROM (
  SELECT *, row_number() OVER (PARTITION BY merchant_id, event_id ORDER BY channel DESC, received_at) AS copy
  FROM millrace_events
)
WHERE copy = 1;
`;
}
