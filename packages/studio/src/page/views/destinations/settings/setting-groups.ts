import type { Setting } from '../records.ts'

/** A part of a form: the first has no title. */
interface SettingGroup {
  readonly title: string | undefined
  readonly fields: readonly (readonly [name: string, setting: Setting])[]
}

/**
 * Returns the settings that a form shows, in their groups: those without a group first, then groups in the order of
 * their first setting. A setting whose condition does not hold is left out, unless it has a problem to be mended.
 */
export function groupsOf(
  properties: Readonly<Record<string, Setting>>,
  settings: Readonly<Record<string, unknown>>,
  withProblems: ReadonlySet<string>,
): readonly SettingGroup[] {
  const settingOf = (name: string): unknown => settings[name] ?? properties[name]?.default
  const groups = new Map<string | undefined, [string, Setting][]>([[undefined, []]])
  for (const [name, setting] of Object.entries(properties)) {
    const conditions = Object.entries(setting.shownWhen ?? {})
    const isShown = conditions.every(([other, wanted]) => [wanted].flat().includes(settingOf(other)))
    if (!isShown && !withProblems.has(name)) continue
    groups.set(setting.group, [...(groups.get(setting.group) ?? []), [name, setting]])
  }
  return [...groups].map(([title, fields]) => ({ title, fields }))
}
