/** Beginnings under which mappings of destinations leave out the object that holds a key. */
const objects = ['properties.', 'context.traits.', 'traits.']

/**
 * Returns which keys the settings of a destination name: by their whole path, or in a row of a mapping also by the part
 * after `properties` or `traits`.
 */
export function namedKeys(settings: unknown, keys: readonly string[]): readonly string[] {
  const whole = new Set<string>()
  const inRows = new Set<string>()
  const search = (value: unknown, isRow: boolean): void => {
    if (typeof value === 'string') {
      const text = value.replace(/^\$\.|^message\./, '')
      whole.add(text)
      if (isRow) inRows.add(text)
    } else if (Array.isArray(value)) for (const each of value) search(each, true)
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) search(each, isRow)
  }
  search(settings, false)
  return keys.filter((key) => {
    if (!key.includes('.')) return inRows.has(key)
    const object = objects.find((each) => key.startsWith(each))
    return whole.has(key) || (object !== undefined && inRows.has(key.slice(object.length)))
  })
}
