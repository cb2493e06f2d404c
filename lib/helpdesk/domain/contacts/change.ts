// How a contact is made and changed. Guarantees: pure; what is not given stays; metadata is merged one level deep, and a null
// takes a key away; what changes nothing is the same object.
import type { Contact } from './contact.ts';
import { contactIdOf } from './contact-id.ts';

type Free = Readonly<Record<string, unknown>>;

/** What a caller gives of a contact, besides its address. */
export interface ContactFacts {
  readonly name?: string | undefined;
  readonly firstname?: string | undefined;
  readonly lastname?: string | undefined;
  readonly company?: string | undefined;
  readonly phone?: string | undefined;
  readonly metadata?: Free | undefined;
  /** Null: its address is written to again. */
  readonly mailStopped?: null | undefined;
}

export function newContact(
  key: { readonly workspaceId: string; readonly email: string; readonly idRoot?: string | undefined },
  facts: ContactFacts,
  nowMs: number,
): Contact {
  const email = key.email.toLowerCase();
  const blank: Contact = {
    id: contactIdOf(key.workspaceId, email),
    workspaceId: key.workspaceId,
    email,
    name: null,
    firstname: null,
    lastname: null,
    company: null,
    phone: null,
    metadata: '{}',
    ...(key.idRoot === undefined ? {} : { idRoot: key.idRoot }),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  return { ...changedContact(blank, facts, nowMs) };
}

/** The same object where nothing differs. */
export function changedContact(contact: Contact, facts: ContactFacts, nowMs: number): Contact {
  const { company, phone, metadata } = facts;
  const next: Contact = {
    ...contact,
    ...namesOf(contact, facts),
    company: company === undefined ? contact.company : known(company),
    phone: phone === undefined ? contact.phone : known(phone),
    metadata: metadata === undefined ? contact.metadata : mergedMetadata(contact.metadata, metadata),
    ...(facts.mailStopped === null && isStopped(contact) ? { mailStopped: null } : {}),
  };
  const fields = Object.keys(next) as (keyof Contact)[];
  return fields.every((field) => next[field] === contact[field]) ? contact : { ...next, updatedAtMs: nowMs };
}

const isStopped = ({ mailStopped }: Contact): boolean => (mailStopped ?? null) !== null;

/** Ends at the first white space; the rest is the last name. */
export function splitName(name: string): { readonly firstname: string; readonly lastname: string | null } {
  const [, firstname = name, lastname = ''] = /^(\S+)\s*([\s\S]*)$/.exec(name.trim()) ?? [];
  return { firstname, lastname: lastname === '' ? null : lastname };
}

const known = (text: string): string | null => (text === '' ? null : text);

function namesOf(
  contact: Contact,
  { name, firstname, lastname }: ContactFacts,
): Pick<Contact, 'name' | 'firstname' | 'lastname'> {
  if (firstname === undefined && lastname === undefined) {
    if (name === undefined) return contact;
    return name === '' ? { name: null, firstname: null, lastname: null } : { name, ...splitName(name) };
  }
  const parts = {
    firstname: firstname === undefined ? contact.firstname : known(firstname),
    lastname: lastname === undefined ? contact.lastname : known(lastname),
  };
  if (name !== undefined) return { ...parts, name: known(name) };
  const joined = [parts.firstname, parts.lastname].filter((part) => part !== null).join(' ');
  return { ...parts, name: known(joined) };
}

function mergedMetadata(stored: string, given: Free): string {
  const before = JSON.parse(stored) as Free;
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return JSON.stringify(Object.fromEntries(merged));
}
