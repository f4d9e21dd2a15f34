import { maskedText, type Setting } from '../records.ts'
import { memberOfRow, settingList } from './controls/setting-list.ts'

/** Stands for a secret that is there. */
const secretText = 'a secret, never shown'

/**
 * Returns the value of a setting in words, one line for each element of a list: choices and switches as the form calls
 * them, members of an element with their names.
 */
export function settingLines(setting: Setting, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return ['none']
  if (value === maskedText) return [secretText]
  if (setting.enum) return [setting.choices?.[String(value)] ?? String(value)]
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  const list = settingList(setting, value)
  if (list === undefined) return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
  return list.rows.length === 0 ? ['none'] : list.rows.map((row) => rowLine(list.item, row))
}

function rowLine(item: Setting, row: unknown): string {
  const members = Object.entries(item.properties ?? {})
  if (members.length === 0) return settingLines(item, row).join(', ')
  const parts = members.flatMap(([member, setting]) => {
    const value = memberOfRow(row, member, item)
    return value === undefined
      ? []
      : [{ title: setting.title ?? member, text: settingLines(setting, value).join('; ') }]
  })
  // The name of the only member says nothing more.
  return parts.map(({ title, text }) => (members.length === 1 ? text : `${title}: ${text}`)).join(', ')
}
