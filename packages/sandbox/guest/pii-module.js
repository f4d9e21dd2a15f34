// @ts-check

const call = callHost
const { apply, getPrototypeOf, ownKeys } = Reflect
const { isArray } = Array
const { slice } = Array.prototype
const { parse, stringify } = JSON
const plainPrototype = Object.prototype

const isPlain = (value) => {
  if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function') return false
  if (isArray(value)) return true
  const prototype = getPrototypeOf(value)
  return prototype === plainPrototype || prototype === null
}

/**
 * Copies the containers of changed values and shares everything else. A container whose JSON form differs from itself
 * (a class instance, a Date, an object with toJSON) is replaced by its masked JSON form; otherwise the change would not
 * match its text.
 *
 * Uses a list of work instead of recursion, because values may be nested deeper than the stack allows. Returns undefined
 * when a value is not plain.
 */
function changed(value, edit) {
  const whole = { value }
  const work = [whole, 'value', edit]
  while (work.length > 0) {
    const at = work.length - 3
    const holder = work[at]
    const key = work[at + 1]
    const change = work[at + 2]
    work.length = at
    if (typeof change === 'string') {
      holder[key] = change
      continue
    }
    const old = holder[key]
    if (!isPlain(old)) return undefined
    const copy = isArray(old) ? apply(slice, old, []) : { ...old }
    holder[key] = copy
    const keys = ownKeys(change)
    for (let i = 0; i < keys.length; i += 1) {
      work[work.length] = copy
      work[work.length] = keys[i]
      work[work.length] = change[keys[i]]
    }
  }
  return whole
}

export function mask(value, options) {
  if (value === undefined) return undefined
  const edit = call('piiEdits', value, options)
  if (edit === null) return value
  return /** @type {{ value: unknown }} */ (changed(value, edit) ?? changed(parse(stringify(value)), edit)).value
}
