import type { Event, JsonObject, JsonValue } from '@sluice/core'
import type { Dialect } from '../../dialects/dialect.ts'
import type { ColumnName, ColumnNames } from '../../naming/column-names.ts'
import type { NameRules } from '../../naming/name-rules.ts'
import type { StandardType } from './standard-types.ts'

/** A column that every event of a type has, and where its value is. */
interface StandardColumn {
  readonly name: string
  /** What it has: the id of a user or a group, another text, or a time. */
  readonly kind: 'id' | 'text' | 'time'
  read(event: Event, context: JsonObject | undefined): JsonValue | undefined
}

/** The same, with its name in one product. */
export interface OwnColumn {
  readonly column: ColumnName
  read(event: Event, context: JsonObject | undefined): JsonValue | undefined
}

const member =
  (key: string) =>
  (event: Event): JsonValue | undefined =>
    event[key]

/** Of every table except `users` and those of extract events. `id` and `received_at` are always known. */
const common: readonly StandardColumn[] = [
  { name: 'anonymous_id', kind: 'id', read: member('anonymousId') },
  { name: 'user_id', kind: 'id', read: member('userId') },
  { name: 'sent_at', kind: 'time', read: member('sentAt') },
  { name: 'timestamp', kind: 'time', read: member('timestamp') },
  { name: 'original_timestamp', kind: 'time', read: member('originalTimestamp') },
  { name: 'channel', kind: 'text', read: member('channel') },
]

const addresses: readonly StandardColumn[] = [
  { name: 'context_ip', kind: 'text', read: (event, context) => context?.['ip'] ?? event['request_ip'] },
  { name: 'context_request_ip', kind: 'text', read: member('request_ip') },
  { name: 'context_passed_ip', kind: 'text', read: (_, context) => context?.['ip'] },
]

const pageName: StandardColumn = {
  name: 'name',
  kind: 'text',
  read: (event) => event['name'] || (event['properties'] as JsonObject | undefined)?.['name'],
}

const ofType: Readonly<Record<string, readonly StandardColumn[]>> = {
  page: [pageName],
  screen: [pageName],
  group: [{ name: 'group_id', kind: 'id', read: member('groupId') }],
  alias: [{ name: 'previous_id', kind: 'id', read: member('previousId') }],
}

/** Returns the names that members of events of a type cannot have. Source: RudderStack docs, warehouse schema. */
export function blockedNames(type: string, { own }: NameRules): ReadonlySet<string> {
  if (type === 'extract') return new Set(['id', 'event', 'received_at'].map(own))
  const ofTracks = type === 'track' ? ['event', 'event_text', 'record_id'] : []
  const event = [...common, ...addresses, ...(ofType[type] ?? [])].map(({ name }) => name)
  return new Set([...event, 'id', 'received_at', ...ofTracks].map(own))
}

const originNames = ['sourceId', 'sourceType', 'destinationId', 'destinationType'] as const

/**
 * Returns the columns of events of a type whose type is fixed, whatever their value.
 * @param keepsIds whether those of ids have one. @param keepsTypes whether all standard columns have one.
 */
export function fixedTypesOf(
  type: string,
  { own, column }: NameRules,
  { keepsIds, keepsTypes }: { readonly keepsIds: boolean; readonly keepsTypes: boolean },
): ReadonlyMap<string, StandardType> {
  if (!keepsIds && !keepsTypes) return new Map()
  const standard = type === 'extract' ? [] : [...common, ...addresses, ...(ofType[type] ?? [])]
  const known = standard.filter(({ kind }) => keepsTypes || kind === 'id')
  const ids = ['id', column('context_traits_id'), column('context_traits_userId')]
  const origin = keepsTypes ? originNames.map((name) => column(`context_${name}`)) : []
  const record = type === 'track' ? ['record_id'] : []
  return new Map([
    ...known.map(({ name, kind }) => [own(name), kind === 'time' ? 'datetime' : 'string'] as const),
    ...[...ids, ...record, ...origin].map((name) => [own(name), 'string'] as const),
  ])
}

/** The columns that Sluice writes itself into the rows of a type of event. */
export interface OwnColumns {
  /** Of the tables of the event. */
  readonly event: readonly OwnColumn[]
  /** Of `users`. */
  readonly users: readonly OwnColumn[]
  readonly id: ColumnName
  readonly receivedAt: ColumnName
  readonly uuidTs: ColumnName
  readonly loadedAt: ColumnName
  readonly wholeEvent: ColumnName
  readonly eventName: ColumnName
  readonly eventText: ColumnName
  readonly recordId: ColumnName
  readonly sourceId: ColumnName
  readonly sourceType: ColumnName
  readonly destinationId: ColumnName
  readonly destinationType: ColumnName
  /** Where ids of the person are that no standard column has. */
  readonly contextTraitsId: ColumnName
  readonly contextTraitsUserId: ColumnName
  readonly externalIds: ColumnName
}

export function ownColumnsOf(type: string, dialect: Dialect, names: ColumnNames): OwnColumns {
  const { own, column } = names.rules
  const named = (name: string): ColumnName => names.named(own(name))
  const withName = ({ name, read }: StandardColumn): OwnColumn => ({ column: named(name), read })
  const ofEvent = type === 'extract' ? [] : [...common, ...addresses, ...(ofType[type] ?? [])]
  const times = dialect.isDataLake ? [] : common.filter(({ kind }) => kind === 'time')
  return {
    event: ofEvent.map(withName),
    users: [...times, ...addresses].map(withName),
    id: named('id'),
    receivedAt: named('received_at'),
    uuidTs: named('uuid_ts'),
    loadedAt: named('loaded_at'),
    wholeEvent: named('rudder_event'),
    eventName: named('event'),
    eventText: named('event_text'),
    recordId: named('record_id'),
    sourceId: names.named(column('context_sourceId')),
    sourceType: names.named(column('context_sourceType')),
    destinationId: names.named(column('context_destinationId')),
    destinationType: names.named(column('context_destinationType')),
    contextTraitsId: names.named(column('context_traits_id')),
    contextTraitsUserId: names.named(column('context_traits_userId')),
    externalIds: names.named(column('context_externalId')),
  }
}
