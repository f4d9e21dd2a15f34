import type { Setting } from '../../records.ts'

/** A list that can be edited row by row. */
interface SettingList {
  /** Schema of an element. */
  readonly item: Setting
  readonly rows: readonly unknown[]
}

/**
 * Returns the value of a setting as rows; undefined where it is no list, or has a form that no row can show, such as one
 * list for each kind of source. A text where a list is allowed, too, is a list of one.
 */
export function settingList(setting: Setting, value: unknown): SettingList | undefined {
  const forms = [setting, ...(setting.anyOf ?? [])]
  const item = forms.find(({ items }) => items !== undefined)?.items
  if (item === undefined) return undefined
  if (Array.isArray(value)) return { item, rows: value }
  if (value === undefined || value === null) return { item, rows: [] }
  return typeof value === 'string' && allowsText(setting) ? { item, rows: [value] } : undefined
}

/** Returns the rows as the value of a setting, in the form that it had: a list of one text stays a text. */
export function settingOfRows(setting: Setting, before: unknown, rows: readonly unknown[]): unknown {
  const [only] = rows
  return rows.length === 1 && typeof before === 'string' && allowsText(setting) ? only : rows
}

/** Whether a setting is an object with members that a form can show. */
export const isObject = ({ type, properties }: Setting): boolean => type === 'object' && properties !== undefined

const allowsText = ({ anyOf = [] }: Setting): boolean => anyOf.some(({ type }) => type === 'string')

/** Returns the rows with one at another place. A place outside the list changes nothing. */
export function movedRow<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  if (from < 0 || to < 0 || from >= rows.length || to >= rows.length) return rows
  return rows.toSpliced(from, 1).toSpliced(to, 0, ...rows.slice(from, from + 1))
}

/** Returns a member of a row. A text in place of an object stands for its first member. */
export function memberOfRow(row: unknown, member: string, item: Setting): unknown {
  if (typeof row === 'object' && row !== null) return (row as Readonly<Record<string, unknown>>)[member]
  return Object.keys(item.properties ?? {})[0] === member ? row : undefined
}

/** Returns a row with another value for one of its members; without it when there is none. */
export function rowWithMember(row: unknown, member: string, item: Setting, value: unknown): object {
  const [first = ''] = Object.keys(item.properties ?? {})
  const members = typeof row === 'object' && row !== null ? row : row === undefined ? {} : { [first]: row }
  const changed = { ...members, [member]: value }
  return Object.fromEntries(Object.entries(changed).filter(([, each]) => each !== undefined))
}
