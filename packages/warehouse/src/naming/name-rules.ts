import { hash } from 'node:crypto'
import type { Dialect } from '../dialects/dialect.ts'
import { isSystemColumn } from '../dialects/system-columns.ts'
import { type Casing, cleanName } from './clean-name.ts'
import { speltKey } from './spelt-key.ts'

export interface NameRules {
  /** Returns a key as it is part of a key path. */
  key(key: string): string
  /** Returns the name of a column, empty when there is none. */
  column(path: string): string
  /** Returns the name of the table of an event, empty when there is none. */
  table(event: string): string
  /** Returns the cleaned name of an event for the column `event`: never cut, always in lower case. */
  event(name: string): string
  /** Returns a name in the case of the product, escaped when it is reserved. */
  own(name: string): string
}

/** Tables of other types of events: an event of the same name gets another one. */
const otherTables = new Set(['tracks', 'pages', 'screens', 'aliases', 'groups', 'accounts'])
const userTables = new Set(['users', 'identifies'])

/** Names that only loads write, in tables of events and beside them. */
const loadColumns = new Set(['uuid_ts', 'loaded_at', 'message_id', 'row_id', 'rudder_event'])
const loadTables = new Set([
  'rudder_discards',
  'rudder_identity_merge_rules',
  'rudder_identity_mappings',
  'sluice_loads',
  'sluice_staged',
])

export interface NameOptions {
  readonly casing: Casing
  /** Whether no name is escaped, and events may write into tables such as `pages`. */
  readonly skipsReserved: boolean
  /** Whether names that only loads write get `_` in front when an event has them. */
  readonly guardsLoads: boolean
  /**
   * Whether every key and event gets a name that databases take: those like columns of databases, such as `xmin`, get `_` in front, and
   * those of other alphabets are spelt.
   */
  readonly keepsNames?: boolean
}

export function createNameRules(dialect: Dialect, options: NameOptions): NameRules {
  const { casing, skipsReserved, guardsLoads, keepsNames = false } = options
  const { nameLengthMax, isUpperCase, reserved } = dialect
  const cased = (name: string): string => (isUpperCase ? name.toUpperCase() : name)
  const cut = (name: string): string => (name.length > nameLengthMax ? name.slice(0, nameLengthMax) : name)
  const own = (name: string): string => cased(reserved.has(name) && !skipsReserved ? `_${name}` : name)
  const spelt = (event: string): string => (keepsNames && event.trim() !== '' ? speltKey(event) : event)
  return {
    key: (key) => (keepsNames ? speltKey(key) : key),
    column(path) {
      const name = cut(cleanName(path, casing))
      const isTaken = (guardsLoads && loadColumns.has(name)) || (keepsNames && isSystemColumn(name))
      return isTaken ? cased(`_${name}`) : own(name)
    },
    table(event) {
      const name = cut(cleanName(spelt(event), casing))
      const isTaken =
        userTables.has(name) || (otherTables.has(name) && !skipsReserved) || (guardsLoads && loadTables.has(name))
      return isTaken ? cased(`_${name}`) : own(name)
    },
    event: (name) => (casing === 'blendo' ? name.toLowerCase() : cleanName(spelt(name), casing)),
    own,
  }
}

/**
 * Returns another name for a key whose name is taken by a different key after it was cut: keys that share a long
 * beginning do not overwrite each other.
 */
export function distinctName(path: string, name: string, nameLengthMax: number): string {
  const ending = `_${hash('sha256', path).slice(0, 8)}`
  return name.slice(0, nameLengthMax - ending.length) + ending
}
