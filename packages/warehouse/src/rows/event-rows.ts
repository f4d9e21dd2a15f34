import { type Event, isJsonObject, type JsonObject } from '@sluice/core'
import type { Dialect } from '../dialects/dialect.ts'
import { type Casing, nameTextMax } from '../naming/clean-name.ts'
import { ColumnNames } from '../naming/column-names.ts'
import { createNameRules } from '../naming/name-rules.ts'
import { ColumnWriter, type WrittenColumns } from './columns/column-writer.ts'
import { blockedNames, fixedTypesOf, type OwnColumn, type OwnColumns, ownColumnsOf } from './columns/own-columns.ts'
import { shownValue } from './columns/shown-value.ts'
import { splitText } from './columns/split-text.ts'
import { isBlank } from './columns/typed-value.ts'
import type { EventOrigin } from './event/event-origin.ts'
import {
  contextOf,
  type GivenEvent,
  idOf,
  nameText,
  receivedAtOf,
  recordIdOf,
  scalar,
  wholeEvent,
} from './event/given-event.ts'
import { type JsonPaths, jsonPathsOf, type PathRoot } from './event/json-paths.ts'
import { traitIdsOf } from './event/trait-ids.ts'
import { mergeRuleOf } from './merge-rule.ts'
import type { RowError } from './row-error.ts'
import type { RowSettings } from './row-settings.ts'
import type { TableRow } from './table-row.ts'

interface EventRowsOptions {
  readonly settings?: RowSettings
  readonly columnsMax?: number
  now(): number
  uuid(event: Event): string
}

interface Given extends GivenEvent {
  /** Largest number of columns of a row. */
  readonly columnsMax: number
}

/** The tables of types that are not named by the event. */
const tables: Readonly<Record<string, string>> = { page: 'pages', screen: 'screens', group: 'groups', alias: 'aliases' }
const columnsMaxDefault = 200
/** For events that have no limit in RudderStack. As many columns as any product has in a table. */
const columnsMaxExempt = 10_000
/** Names of tables that are kept, by the text of the event. */
const tableNamesMax = 10_000

/** Makes rows of events of one type. */
export class EventRows {
  readonly #type: string
  readonly #dialect: Dialect
  readonly #options: EventRowsOptions
  readonly #names: ColumnNames
  readonly #own: OwnColumns
  /** The names of the tables of events, by the text of the event. */
  readonly #tables = new Map<string, string>()
  #pathsOf: { readonly paths: readonly string[]; readonly trees: ReadonlyMap<PathRoot, JsonPaths> } | undefined

  constructor(type: string, dialect: Dialect, options: EventRowsOptions, casing: Casing, skipsReserved: boolean) {
    this.#type = type
    this.#dialect = dialect
    this.#options = options
    const { guardsLoads = false, keepsIds = false, keepsTypes = false, keepsNames = false } = options.settings ?? {}
    const rules = createNameRules(dialect, { casing, skipsReserved, guardsLoads, keepsNames })
    const fixed = fixedTypesOf(type, rules, { keepsIds, keepsTypes })
    this.#names = new ColumnNames(rules, blockedNames(type, rules), dialect.nameLengthMax, fixed)
    this.#own = ownColumnsOf(type, dialect, this.#names)
  }

  get isFull(): boolean {
    return this.#names.isFull || this.#tables.size > tableNamesMax
  }

  /** Returns the rows of an event in the order of their tables, or why there are none. */
  rowsOf(event: Event, origin: EventOrigin, settings: RowSettings, paths: readonly string[]): RowError | TableRow[] {
    const { rules } = this.#names
    const type = this.#type
    const merge =
      settings.resolvesIdentities && this.#dialect.mergesIdentities && type !== 'extract'
        ? mergeRuleOf(event, type, rules)
        : undefined
    if (merge && 'code' in merge) return merge
    if (type === 'merge') return merge ? [merge] : []
    const recordId = recordIdOf(event, type, origin)
    if (typeof recordId === 'object') return recordId
    if (type === 'extract' && isBlank(event['event']))
      return {
        code: 'missing_event_name',
        message: `event is ${shownValue(event['event'])}; the table of an extract event is named after it.`,
      }
    if (this.#pathsOf?.paths !== paths) this.#pathsOf = { paths, trees: jsonPathsOf(paths, type) }
    const columnsMax = this.#columnsMax(event)
    const rows = this.#rows({
      event,
      origin,
      settings,
      recordId,
      columnsMax,
      context: contextOf(event),
      paths: this.#pathsOf.trees,
      id: idOf(event, this.#options.uuid),
      receivedAt: receivedAtOf(event, origin, this.#options.now),
    })
    if (merge) rows.splice(type === 'identify' ? 1 : rows.length, 0, merge)
    const wide = rows.find(({ names }) => names.length > columnsMax)
    return wide === undefined ? rows : tooWide(wide, columnsMax)
  }

  #rows(given: Given): TableRow[] {
    const { event } = given
    switch (this.#type) {
      case 'track':
        return this.#trackRows(given)
      case 'identify':
        return this.#identifyRows(given)
      case 'extract':
        return this.#extractRows(given)
      default: {
        const writer = this.#writer(given)
        const isPage = this.#type === 'page' || this.#type === 'screen'
        const members = event[isPage ? 'properties' : 'traits']
        if (isJsonObject(members) && (isPage || splitText(members) === undefined))
          this.#flatten(writer, given, isPage ? 'properties' : 'traits', members)
        this.#writeShared(writer, given)
        this.#writeEvent(writer, given)
        return [this.#row(this.#names.rules.own(tables[this.#type] ?? ''), writer)]
      }
    }
  }

  #trackRows(given: Given): TableRow[] {
    const { event, settings, recordId } = given
    const { eventText, eventName, recordId: recordColumn, id } = this.#own
    const writer = this.#writer(given)
    this.#writeShared(writer, given)
    const text = nameText(event['event'])
    if (text !== '') writer.set(eventText, 'string', text)
    writer.set(eventName, 'string', this.#names.rules.event(text))
    const shared = writer.written()
    const rows: TableRow[] = []
    if (!settings.skipTracksTable) {
      const tracks = this.#writer(given, shared)
      tracks.setTyped(recordColumn, recordId)
      this.#writeEvent(tracks, given)
      rows.push(this.#row(this.#names.rules.own('tracks'), tracks))
    }
    const table = this.#tableOf(text)
    if (table === '') return rows
    const own = this.#writer(given)
    this.#flattenOf(own, given, 'properties')
    this.#flattenOf(own, given, 'userProperties')
    own.addAll(shared)
    own.setTyped(id, recordId)
    rows.push(this.#row(table, own))
    return rows
  }

  #identifyRows(given: Given): TableRow[] {
    const { event, settings, context, receivedAt } = given
    const { own } = this.#names.rules
    const writer = this.#writer(given)
    this.#flattenOf(writer, given, 'userProperties')
    const ofContext = context?.['traits']
    if (settings.allowUsersContextTraits && isJsonObject(ofContext) && splitText(ofContext) === undefined)
      this.#flatten(writer, given, 'traits', ofContext)
    this.#flattenOf(writer, given, 'traits')
    const user = writer.written()
    const identifies = this.#writer(given, user)
    this.#writeShared(identifies, given)
    this.#writeEvent(identifies, given)
    const rows = [this.#row(own('identifies'), identifies)]
    if (settings.skipUsersTable || !this.#dialect.hasUsers || isBlank(event['userId'])) return rows
    const users = this.#writer(given, user)
    this.#writeContext(users, given)
    this.#writeOwn(users, this.#own.users, given)
    users.setTyped(this.#own.id, scalar(event['userId']))
    users.setTyped(this.#own.receivedAt, receivedAt)
    rows.push(this.#row(own('users'), users))
    return rows
  }

  #extractRows(given: Given): TableRow[] {
    const { event, recordId, receivedAt } = given
    const text = nameText(event['event'])
    const table = this.#tableOf(text)
    if (table === '') return []
    const writer = this.#writer(given)
    this.#flattenOf(writer, given, 'properties')
    this.#writeContext(writer, given)
    writer.setTyped(this.#own.id, recordId)
    writer.set(this.#own.eventName, 'string', text)
    writer.setTyped(this.#own.receivedAt, receivedAt)
    return [this.#row(table, writer)]
  }

  /** Writes the context and the standard columns. */
  #writeShared(writer: ColumnWriter, given: Given): void {
    this.#writeContext(writer, given)
    this.#writeOwn(writer, this.#own.event, given)
    writer.setTyped(this.#own.id, given.id)
    writer.setTyped(this.#own.receivedAt, given.receivedAt)
  }

  #writeOwn(writer: ColumnWriter, columns: readonly OwnColumn[], { event, context }: Given): void {
    for (const { column, read } of columns) writer.setTyped(column, scalar(read(event, context)))
  }

  #writeContext(writer: ColumnWriter, given: Given): void {
    this.#writeMembersOfContext(writer, given)
    if (this.#options.settings?.keepsIds === true) this.#writeTraitIds(writer, given)
  }

  /** A text or a list in place of the context leaves no room for where the event comes from, either. */
  #writeMembersOfContext(writer: ColumnWriter, { context, origin, paths }: Given): void {
    if (context === undefined) return
    const { traits } = context
    const text = isJsonObject(traits) ? splitText(traits) : undefined
    const members = text === undefined ? context : { ...context, traits: text }
    writer.flatten(members, { names: this.#names.root('context'), paths: paths.get('context') })
    writer.setTyped(this.#own.sourceId, origin.sourceId)
    writer.setTyped(this.#own.sourceType, origin.sourceType)
    writer.setTyped(this.#own.destinationId, origin.destinationId)
    writer.setTyped(this.#own.destinationType, origin.destinationType)
  }

  /** Writes ids of the traits into columns in which a deletion searches, beside what these columns have already. */
  #writeTraitIds(writer: ColumnWriter, { event, context }: Given): void {
    const { contextTraitsId, contextTraitsUserId, externalIds } = this.#own
    const left = [...traitIdsOf(event)]
    for (const column of [contextTraitsId, contextTraitsUserId])
      if (left.length > 0 && !writer.has(column)) writer.setTyped(column, left.shift())
    if (left.length === 0) return
    const given = context?.['externalId'] ?? []
    const listed = left.map((id) => ({ type: 'traits', id }))
    writer.setTyped(externalIds, [...(Array.isArray(given) ? given : [given]), ...listed])
  }

  #writeEvent(writer: ColumnWriter, given: Given): void {
    if (!given.settings.storeFullEvent || writer.count > given.columnsMax) return
    writer.set(this.#own.wholeEvent, this.#dialect.eventType, wholeEvent(given))
  }

  #flattenOf(writer: ColumnWriter, given: Given, root: Exclude<PathRoot, 'context'>): void {
    const members = given.event[root]
    if (isJsonObject(members)) this.#flatten(writer, given, root, members)
  }

  #flatten(writer: ColumnWriter, given: Given, root: Exclude<PathRoot, 'context'>, members: JsonObject): void {
    const jsonKey = this.#dialect.hasViolationErrors && root === 'properties' ? 'violationErrors' : undefined
    writer.flatten(members, { names: this.#names.root(''), paths: given.paths.get(root), jsonKey })
  }

  #tableOf(text: string): string {
    const known = this.#tables.get(text)
    if (known !== undefined) return known
    const table = this.#names.rules.table(text)
    if (text.length <= nameTextMax) this.#tables.set(text, table)
    return table
  }

  /** @param from columns that the row begins with. */
  #writer({ origin, columnsMax }: Given, from?: WrittenColumns): ColumnWriter {
    const { settings } = this.#options
    const writer = new ColumnWriter({
      dialect: this.#dialect,
      names: this.#names,
      arrays: settings?.storesArrays === true && this.#dialect.hasArrays,
      stringifyFrom: origin.sourceCategory === 'cloud' ? 4 : undefined,
      keepsLongNames: settings?.keepsLongNames === true,
      keepsNames: settings?.keepsNames === true,
      boundsInts: settings?.guardsLoads === true || settings?.keepsTypes === true,
      columnsMax,
    })
    if (from) writer.addAll(from)
    return writer
  }

  #row(table: string, writer: ColumnWriter): TableRow {
    const { uuidTs, loadedAt } = this.#own
    if (!writer.has(uuidTs)) writer.set(uuidTs, 'datetime', undefined)
    if (this.#dialect.hasLoadedAt && !writer.has(loadedAt)) writer.set(loadedAt, 'datetime', undefined)
    return writer.toRow(table)
  }

  #columnsMax(event: Event): number {
    if (this.#dialect.isDataLake || event['channel'] === 'sources') return columnsMaxExempt
    return this.#options.columnsMax ?? columnsMaxDefault
  }
}

function tooWide({ table }: TableRow, columnsMax: number): RowError {
  return {
    code: 'too_many_columns',
    message: `The event needs more columns in the table ${table} than the ${columnsMax} that are allowed. Send fewer keys, or store nested ones as JSON with jsonPaths.`,
  }
}
