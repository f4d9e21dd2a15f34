import { isDeepStrictEqual } from 'node:util'
import type { ChangedRecord, ConfigurationEntry, RecordKind } from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { maskedText } from '@sluice/destinations/kit'
import type { ChangeFact } from './change-notes.ts'

/** Returns what people call a source or destination. */
export type NameOf = (kind: 'source' | 'destination', id: string) => string

const nouns: Partial<Record<RecordKind, string>> = {
  token: 'access token',
  customType: 'custom type',
  plan: 'tracking plan',
  query: 'saved query',
}
/** Settings whose values are not shown, though their type does not call them secret. */
const delicateName = /key|secret|token|passw|credential|auth|header|cookie|user/i
const shownLengthMax = 60

/** Returns a changed record as a sentence; values only where they are short and certainly no secret. */
export function recordFact({ kind, id, action, before, after }: ChangedRecord, nameOf: NameOf): ChangeFact {
  if (kind === 'pause') {
    const subject = { kind: 'destination', id, name: nameOf('destination', id) }
    return action === 'deleted'
      ? { kind: 'resumed', subject, text: `resumed destination ${subject.name}` }
      : { kind: 'paused', subject, text: `paused destination ${subject.name}` }
  }
  const entry = after ?? before
  const noun = nouns[kind] ?? kind
  if (kind === 'connection') return connectionFact(id, action, before, after, nameOf)
  const subject = { kind, id, name: String(entry?.body['name'] ?? id) }
  const what = `${noun} ${subject.name}`
  if (action === 'created') return { kind: 'created', subject, text: `created ${what}${scopesOf(kind, after)}` }
  if (action === 'deleted') return { kind: 'deleted', subject, text: `deleted ${what}` }
  return { kind: 'changed', subject, ...changeText(kind, what, noun, before, after) }
}

function connectionFact(
  id: string,
  action: ChangedRecord['action'],
  before: ConfigurationEntry | undefined,
  after: ConfigurationEntry | undefined,
  nameOf: NameOf,
): ChangeFact {
  const { source, destination } = (after ?? before)?.body ?? {}
  const [from, to] = [nameOf('source', String(source)), nameOf('destination', String(destination))]
  const subject = { kind: 'connection', id, name: `${from} → ${to}` }
  if (action === 'created')
    return { kind: 'connected', subject, text: `connected source ${from} with destination ${to}` }
  if (action === 'deleted')
    return { kind: 'disconnected', subject, text: `disconnected source ${from} from destination ${to}` }
  return {
    kind: 'changed',
    subject,
    ...changeText('connection', `the connection of ${from} with ${to}`, 'connection', before, after),
  }
}

type ChangeWords = Pick<ChangeFact, 'text' | 'before' | 'after'>

function changeText(
  kind: RecordKind,
  what: string,
  noun: string,
  before: ConfigurationEntry | undefined,
  after: ConfigurationEntry | undefined,
): ChangeWords {
  const [old, now] = [before?.body ?? {}, after?.body ?? {}]
  if (kind === 'credential') return { text: `set ${what} to another value` }
  const members = changedMembers(old, now)
  const [member] = members
  if (members.length === 1 && member === 'name') {
    const [was, is] = [String(old['name'] ?? before?.id), String(now['name'] ?? after?.id)]
    return { text: `renamed ${noun} ${was} to ${is}`, before: was, after: is }
  }
  if (members.length === 1 && member === 'enabled')
    return { text: `switched ${now['enabled'] === false ? 'off' : 'on'} ${what}` }
  if (member !== undefined && members.every((each) => each === 'writeKey' || each === 'formerWriteKey'))
    return { text: `gave ${what} another write key` }
  if (members.length === 1 && member === 'settings')
    return settingsText(what, objectOf(old, 'settings'), objectOf(now, 'settings'))
  if (members.length > 0) return { text: `changed ${members.join(', ')} of ${what}` }
  if (before?.externalId !== after?.externalId) return { text: `gave ${what} another external id` }
  return { text: `changed a secret of ${what}` }
}

function settingsText(what: string, old: JsonObject, now: JsonObject): ChangeWords {
  const names = changedMembers(old, now)
  const [name = ''] = names
  const text = `changed ${names.join(', ')} of ${what}`
  if (names.length !== 1 || delicateName.test(name)) return { text }
  const [before, after] = [plainValue(old[name]), plainValue(now[name])]
  return before === undefined || after === undefined ? { text } : { text, before, after }
}

/** Returns a value as text where it cannot be a secret or an address that holds one. */
function plainValue(value: unknown): string | undefined {
  if (value === undefined) return 'not set'
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === maskedText || value.length > shownLengthMax) return undefined
  return /[@/\\:]/.test(value) ? undefined : value
}

function changedMembers(old: JsonObject, now: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...names].filter((name) => !isDeepStrictEqual(old[name], now[name]))
}

function objectOf(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  return isJsonObject(value) ? value : {}
}

function scopesOf(kind: RecordKind, entry: ConfigurationEntry | undefined): string {
  const scopes = kind === 'token' ? entry?.body['scopes'] : undefined
  return Array.isArray(scopes) ? ` with the scopes ${scopes.join(', ')}` : ''
}
