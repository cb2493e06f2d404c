CREATE EXTERNAL TABLE millrace_events (
  `event_id` string,
  `event_name` string,
  `event_time` bigint,
  `received_at` string,
  `merchant_id` string,
  `channel` string,
  `source` string,
  `action_source` string,
  `event_source_url` string,
  `referrer_url` string,
  `order_id` string,
  `value` decimal(38,9),
  `currency` string,
  `items` array<struct<id:string,quantity:decimal(38,9),price:decimal(38,9),name:string,brand:string,category:string,variant:string>>,
  `custom_data` string,
  `consent` struct<ad_user_data:string,ad_personalization:string,ad_storage:string,analytics:string>,
  `app` struct<platform:string,tracking:string,id:string,name:string,version:string,build:string,instance_id:string,vendor_id:string,campaign_ids:string,os_version:string,device_model:string,device_brand:string,carrier:string,locale:string,timezone:string,screen_width:string,screen_height:string,screen_density:string>,
  `user_data` struct<email_sha256:string,phone_sha256:string,first_name_sha256:string,last_name_sha256:string,gender_sha256:string,date_of_birth_sha256:string,city_sha256:string,state_sha256:string,postal_code_sha256:string,country_sha256:string,external_ids_sha256:array<string>,client_ip:string,user_agent:string,madid:string,browser_ids:struct<fbp:string,fbc:string,gclid:string,gbraid:string,wbraid:string,ttclid:string,ttp:string,sc_click_id:string,sc_cookie1:string,epik:string,li_fat_id:string,rdt_cid:string,rdt_uuid:string,twclid:string,msclkid:string,kx:string,oppref:string,tblci:string,ob_click_id:string,awc:string,irclickid:string,crto_mapped_user_id:string,ga_client_id:string,ga_session_id:string>>
)
PARTITIONED BY (`dt` string, `hour` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
LOCATION 's3://shop-events/millrace/events/'
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
  'storage.location.template' = 's3://shop-events/millrace/events/dt=${dt}/hour=${hour}/'
);

CREATE OR REPLACE VIEW millrace_events_once AS
SELECT * FROM (
  SELECT *, row_number() OVER (PARTITION BY merchant_id, event_id ORDER BY channel DESC, received_at) AS copy
  FROM millrace_events
)
WHERE copy = 1;
