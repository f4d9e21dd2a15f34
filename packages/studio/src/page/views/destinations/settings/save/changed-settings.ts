import type { Definition } from '../../records.ts'
import type { Settings } from '../settings-form.tsx'

/**
 * Returns the settings that differ, in the order of the form, as a call of the Test API replaces them. One that was emptied has its default again,
 * or an empty text where it has none.
 */
export function changedSettings(
  { settings: { properties = {} } }: Pick<Definition, 'settings'>,
  before: Settings,
  after: Settings,
): Settings {
  const names = new Set([properties, before, after].flatMap(Object.keys))
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? properties[name]?.default ?? '']))
}

/** Returns the titles of settings, without their values: they may be secrets. */
export function titlesOf({ settings: { properties = {} } }: Pick<Definition, 'settings'>, changed: Settings): string {
  return Object.keys(changed)
    .map((name) => properties[name]?.title ?? name)
    .join(', ')
}
