// What consent is meant to do at each platform, written by hand and independent of the code under test. A line applies
// where all its conditions hold; where several apply, their effects add up; `withheld` goes before everything.
// Conditions: `signal=state`, states of one signal joined by `|`. Effects: `+ path: value` comes into the request,
// `- path` goes out of it; a platform without a line for a statement is sent the event as if nothing had been stated.

export const CONSENT_MATRIX = `
meta       | ad_user_data=denied                              | withheld
meta       | ad_personalization=denied                        | + data[].opt_out: true
meta       | ad_personalization=denied                        | + data[].data_processing_options[]: "LDU"
meta       | ad_personalization=denied                        | + data[].data_processing_options_country: 0
meta       | ad_personalization=denied                        | + data[].data_processing_options_state: 0
meta       | ad_storage=denied                                | - data[].user_data.fbp
meta       | ad_storage=denied                                | - data[].user_data.fbc
meta       | ad_storage=denied                                | - data[].user_data.madid

google_ads | ad_user_data=denied                              | withheld
google_ads | ad_user_data=granted                             | + events[].consent.adUserData: "CONSENT_GRANTED"
google_ads | ad_personalization=granted                       | + events[].consent.adPersonalization: "CONSENT_GRANTED"
google_ads | ad_personalization=denied                        | + events[].consent.adPersonalization: "CONSENT_DENIED"
google_ads | ad_storage=denied                                | - events[].adIdentifiers.gclid

ga4        | analytics=denied                                 | withheld
ga4        | ad_user_data=granted                             | + consent.ad_user_data: "GRANTED"
ga4        | ad_user_data=denied                              | + consent.ad_user_data: "DENIED"
ga4        | ad_user_data=denied                              | - user_data.sha256_email_address[]
ga4        | ad_user_data=denied                              | - user_data.sha256_phone_number[]
ga4        | ad_user_data=denied                              | - user_data.address[].sha256_first_name
ga4        | ad_user_data=denied                              | - user_data.address[].sha256_last_name
ga4        | ad_user_data=denied                              | - user_data.address[].city
ga4        | ad_user_data=denied                              | - user_data.address[].region
ga4        | ad_user_data=denied                              | - user_data.address[].postal_code
ga4        | ad_user_data=denied                              | - user_data.address[].country
ga4        | ad_personalization=granted                       | + consent.ad_personalization: "GRANTED"
ga4        | ad_personalization=denied                        | + consent.ad_personalization: "DENIED"

tiktok     | ad_user_data=denied                              | withheld
tiktok     | ad_personalization=denied                        | + data[].limited_data_use: true
tiktok     | ad_storage=denied                                | - data[].user.ttclid
tiktok     | ad_storage=denied                                | - data[].user.ttp

snapchat   | ad_user_data=denied                              | withheld
snapchat   | ad_personalization=denied                        | + data[].data_processing_options[]: "LMU"
snapchat   | ad_personalization=denied                        | + data[].data_processing_options[]: "LDU"
snapchat   | ad_storage=denied                                | - data[].user_data.sc_click_id
snapchat   | ad_storage=denied                                | - data[].user_data.sc_cookie1
snapchat   | ad_storage=denied                                | - data[].user_data.madid

pinterest  | ad_user_data=denied                              | withheld
pinterest  | ad_personalization=denied                        | + data[].custom_data.opt_out_type: "LDP"
pinterest  | ad_storage=denied                                | - data[].user_data.click_id
pinterest  | ad_storage=denied                                | - data[].user_data.hashed_maids[]

linkedin   | ad_user_data=denied                              | withheld
linkedin   | ad_personalization=denied                        | withheld
linkedin   | ad_storage=denied                                | - elements[].user.userIds[].idType: "LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID"
linkedin   | ad_storage=denied                                | - elements[].user.userIds[].idValue: "li_fat_id-1"

reddit     | ad_user_data=denied                              | withheld
reddit     | ad_personalization=denied                        | + data.events[].user.data_processing_options.modes[]: "LDU"
reddit     | ad_storage=denied                                | - data.events[].click_id
reddit     | ad_storage=denied                                | - data.events[].user.uuid
reddit     | ad_storage=denied                                | - data.events[].user.aaid

x          | ad_user_data=denied                              | withheld
x          | ad_personalization=denied                        | withheld
x          | ad_storage=denied                                | - conversions[].identifiers[].twclid

microsoft  | ad_user_data=denied                              | withheld
microsoft  | ad_personalization=denied                        | + data[].adStorageConsent: "D"
microsoft  | ad_storage=denied                                | + data[].adStorageConsent: "D"
microsoft  | ad_storage=granted ad_personalization=granted|absent | + data[].adStorageConsent: "G"
microsoft  | ad_storage=denied                                | - data[].userData.msclkid
microsoft  | ad_storage=denied                                | - data[].userData.gaid

amazon     | ad_user_data=denied                              | withheld
amazon     | ad_user_data=granted                             | + events[].consent.amazonConsent.amznUserData: "GRANTED"
amazon     | ad_user_data=granted                             | - events[].consent.geo.ipAddress
amazon     | ad_user_data=granted ad_storage=granted          | + events[].consent.amazonConsent.amznAdStorage: "GRANTED"
amazon     | ad_user_data=granted ad_storage=denied           | + events[].consent.amazonConsent.amznAdStorage: "DENIED"
amazon     | ad_personalization=denied                        | + events[].dataProcessingOptions.options: "LIMITED_DATA_USE"
amazon     | ad_storage=denied                                | - events[].matchKeys[].type: "MAID"
amazon     | ad_storage=denied                                | - events[].matchKeys[].values[]: "6d92078a-8246-4ba4-ae5b-76104861e7dc"

klaviyo    | ad_user_data=denied                              | withheld
klaviyo    | ad_storage=denied                                | - data.attributes.events-bulk-create.data[].attributes.profile.data.attributes._kx
`;

export interface ConsentRule {
  readonly platform: string;
  /** Signal → the states it is about. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly effect: string;
}

export function consentRules(table: string = CONSENT_MATRIX): readonly ConsentRule[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [platform = '', ...rest] = line.split(/\s+\|\s+/);
      const [conditions = '', effect = ''] = rest;
      const when = conditions.split(' ').map((condition) => {
        const [signal = '', states = ''] = condition.split('=');
        return [signal, states.split('|')] as const;
      });
      return { platform, when: Object.fromEntries(when), effect };
    });
}
